import { getBotReachRoute } from '../../../questions/bot-reach/routes.ts'
import { hasEarlier } from '../../figures/comparison.ts'
import { PeriodPicker } from '../../forms/filter-bar.tsx'
import { Choice, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { labelOfProperty, USER_PROPERTIES } from '../../words/labels.ts'
import { namedIn } from '../cell-words.ts'
import { type Face, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { BotFigures } from './figures.tsx'
import { askAboutBot, BOT_PARAMS } from './question.ts'

const BY_OPTIONS = [
  ['', 'All users'],
  ...USER_PROPERTIES.map((property) => [property, labelOfProperty(property)] as const),
] as const

/** The page about a bot: whom it may write to, and what people do with it. */
async function botPage(request: ApplicationRequest) {
  const { view, home, context } = request
  const isComparable = await hasEarlier(request)
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
}

function BotForm({ view, problem }: QuestionFields) {
  return (
    <>
      <div class="filters">
        <PeriodPicker view={view} />
      </div>
      <QuestionForm view={view} own={BOT_PARAMS}>
        <Choice view={view} label="Reach by" name="by" options={BY_OPTIONS} problem={problem} />
      </QuestionForm>
    </>
  )
}

const SERIES: ReadonlyMap<string, string> = new Map([
  ['reachable', 'Reachable'],
  ['gained', 'Became reachable'],
  ['lost', 'Blocked the bot'],
])

export const botFace: Face = {
  page: 'bot',
  navigation: { label: 'Bot', icon: 'message', needsBot: true },
  make: botPage,
  kind: 'plain',
  answers: { getBotReach: ({ query }) => given(query, ['by']) },
  words: { [getBotReachRoute.contract.path]: ({ cell }) => [namedIn(SERIES, cell.series, 'reachable')] },
}
