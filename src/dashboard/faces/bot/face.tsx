import { hasBotEvents } from '../../../questions/bot-reach/bot-events.ts'
import { hasEarlier } from '../../figures/comparison.ts'
import { PeriodPicker } from '../../forms/filter-bar.tsx'
import { type AskedFields, QuestionForm } from '../../forms/question-form.tsx'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { labelOfProperty, USER_PROPERTIES } from '../../words/labels.ts'
import { namedIn } from '../cell-words.ts'
import { type Face, faceOf } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { BotFigures } from './figures.tsx'
import { askAboutBot, reach } from './question.ts'

const FORM: AskedFields = {
  by: {
    label: 'Reach by',
    options: {
      '': 'All users',
      ...Object.fromEntries(USER_PROPERTIES.map((property) => [property, labelOfProperty(property)])),
    },
  },
}

/** The page about a bot: whom it may write to, and what people do with it. */
async function botPage(request: ApplicationRequest) {
  const { view, home, context } = request
  const isComparable = await hasEarlier(request)
  return questionPage(request, {
    title: 'Bot',
    scripts: ['plots.js'],
    hasDays: true,
    asking: attempt(askAboutBot(view, context)),
    question: reach,
    isNothing: (answer) => answer?.names.length === 0,
    form: (fields) => (
      <>
        <div class="filters">
          <PeriodPicker view={view} />
        </div>
        <QuestionForm question={reach} fields={FORM} {...fields} />
      </>
    ),
    figures: (answer) => <BotFigures view={view} home={home} answer={answer} isComparable={isComparable} />,
  })
}

const SERIES: ReadonlyMap<string, string> = new Map([
  ['reachable', 'Reachable'],
  ['gained', 'Became reachable'],
  ['lost', 'Blocked the bot'],
])

export const botFace: Face = faceOf(reach, {
  page: 'bot',
  navigation: { label: 'Bot', icon: 'message', isFor: hasBotEvents },
  make: botPage,
  kind: 'plain',
  words: ({ cell }) => [namedIn(SERIES, cell.series, 'reachable')],
})
