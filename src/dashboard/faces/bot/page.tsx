import { findEarlierData, isKnown } from '../../figures/comparison.ts'
import { PeriodPicker } from '../../forms/filter-bar.tsx'
import { Choice, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { questionPage } from '../../frame/question-page.tsx'
import { attempt } from '../../request/problem.tsx'
import { labelOfProperty, USER_PROPERTIES } from '../../words/labels.ts'
import { BotFigures } from './figures.tsx'
import { askAboutBot, BOT_PARAMS } from './question.ts'

const BY_OPTIONS = [
  ['', 'All users'],
  ...USER_PROPERTIES.map((property) => [property, labelOfProperty(property)] as const),
] as const

/** Whom the bot may write to, and what people do with it. */
export const botPage = plainPage(async (request) => {
  const { view, home, context, application } = request
  const earlier = await findEarlierData(application, context)
  const first = view.period && 2 * view.period.from - view.period.to - 1
  const isComparable = first !== null && isKnown(first, application) && earlier.isBefore(first)
  return questionPage(request, {
    title: 'Bot',
    scripts: ['plots.js'],
    hasDays: true,
    asking: attempt(askAboutBot(view, context)),
    fields: BOT_PARAMS,
    isNothing: (answer) => answer?.names.length === 0,
    form: BotForm,
    figures: (answer) => <BotFigures view={view} home={home} answer={answer} isComparable={isComparable} />,
  })
})

function BotForm({ view, names, problem }: QuestionFields) {
  return (
    <>
      <div class="filters">
        <PeriodPicker view={view} />
      </div>
      <QuestionForm view={view} own={BOT_PARAMS} names={names} hasAny>
        <div class="row">
          <Choice view={view} label="Reach by" name="by" options={BY_OPTIONS} problem={problem} />
          <button type="submit">Apply</button>
        </div>
      </QuestionForm>
    </>
  )
}
