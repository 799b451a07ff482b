import { BOT_PREFIX } from '../../../questions/bot-reach/bot-events.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { BarList } from '../../figures/bars.tsx'
import { previousPeriod } from '../../figures/comparison.ts'
import { COUNT, othersOf, RATIO } from '../../figures/declared.ts'
import { Nothing } from '../../figures/empty.tsx'
import { changeColumn, FigureTable } from '../../figures/figure-table.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { hrefTo, periodQuery } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { type BotAnswer, BY_BUTTON, BY_CHAT, reach } from './question.ts'

interface BotShown extends Pick<ApplicationRequest, 'view' | 'home'> {
  readonly answer: BotAnswer
  /** Whether figures can be compared with the time before. */
  readonly isComparable: boolean
}

export function BotFigures(shown: BotShown) {
  const { view, home, answer } = shown
  const { names, chats, buttons, reach } = answer
  if (names.length === 0 && reach.yValues.every(({ empty }) => empty)) {
    return (
      <Nothing view={view} title="No bot events in this period">
        {'The client of your bot sends the updates that you choose in the settings. '}
        <a href={hrefTo(view, `${home}/settings/capture`, { tab: 'bot' })}>Choose updates and commands</a>
      </Nothing>
    )
  }
  return (
    <>
      <Reach {...shown} />
      <div class="grid">
        <Names title="Commands" nothing="No commands in this period." {...shown} of={commandOf} />
        <Names title="Inline" nothing="No inline queries in this period." {...shown} of={inlineOf} />
        <Groups
          title="Chats by type"
          nothing="No messages in this period."
          {...shown}
          groups={chats}
          property="referrer_type"
          asked={BY_CHAT}
        />
        <Groups
          title="Buttons by data"
          nothing="No buttons were pressed in this period."
          {...shown}
          groups={buttons}
          property={BY_BUTTON.group_by}
          asked={BY_BUTTON}
        />
      </div>
    </>
  )
}

interface GroupsShown extends BotShown {
  readonly title: string
  readonly nothing: string
  readonly groups: BotAnswer['chats']
  /** Whose values they are called by. */
  readonly property: string
  /** How they are asked for. */
  readonly asked: typeof BY_CHAT | typeof BY_BUTTON
}

/** Users by a parameter of their events. */
function Groups({ view, home, groups: { yValues, groups_total }, property, asked, ...shown }: GroupsShown) {
  const usersHref = usersHrefOf(home, segmentEventsRoute.contract.path, { ...periodQuery(view), ...asked })
  const rows = yValues
    .filter(({ key_value: users }) => users > 0)
    .map(({ name, key_value: value }) => ({
      label: labelOfValue(property, name),
      value,
      users: usersHref({ group: [name] }),
    }))
  return <BarList {...shown} of="Users" rows={rows} others={othersOf({ groups_total }, yValues.length)} />
}

const FIGURES = [
  {
    series: 'reachable',
    label: 'Reachable users',
    hint: 'Users whom the bot may write to, at the end of the period',
    unit: COUNT,
  },
  { series: 'gained', label: 'Gained', hint: 'Users who became reachable', unit: COUNT },
  { series: 'lost', label: 'Blocked', hint: 'Reachable users who blocked the bot', unit: COUNT, rise: 'bad' },
] as const

type ReachGroup = BotAnswer['reach']['groups'][number]

function Reach({ view, home, answer, isComparable }: BotShown) {
  const { xValues, yValues, groups } = answer.reach
  const usersHref = usersHrefOf(home, reach.path, reach.query(view))
  const by = view.params.get('by') ?? ''
  const stats = FIGURES.map((figure, place) => {
    const { key_value: value = 0, change = 0 } = yValues[place] ?? {}
    return { ...figure, value, users: usersHref({ series: figure.series }), change: isComparable ? change : null }
  })
  const lines = groups.map(({ name, yValues: [reachable] }) => ({
    name: labelOfValue(by, name),
    data: reachable?.data ?? [],
    usersAt: (day: string) => usersHref({ series: 'reachable', day, group: name }),
  }))
  const all = FIGURES.map(({ series, label }, place) => ({
    name: label,
    data: yValues[place]?.data ?? [],
    usersAt: (day: string) => usersHref({ series, day }),
  }))
  const shared = { kind: 'lines', unit: COUNT, ...dayLabels(xValues.data, view) } as const
  return (
    <>
      <StatTiles stats={stats} vs={previousPeriod(view)} />
      <Plot title="Reachable users by day" {...shared} series={lines.length > 0 ? lines : all.slice(0, 1)} />
      <Plot title="Gained and blocked by day" {...shared} series={all.slice(1)} />
      {groups.length > 0 && (
        <section class="card">
          <h2>{`Reach by ${labelOfProperty(by)}`}</h2>
          <FigureTable
            label="Reach by group"
            of={labelOfProperty(by)}
            rows={groups}
            nameOf={({ name }) => <bdi>{labelOfValue(by, name)}</bdi>}
            columns={[
              ...FIGURES.map((figure, place) => ({
                ...figure,
                of: (group: ReachGroup) => group.yValues[place]?.key_value,
                users: ({ name }: ReachGroup) => usersHref({ series: figure.series, group: name }),
              })),
              ...(isComparable
                ? [
                    changeColumn(
                      ({ yValues: [reachable] }: ReachGroup) => ({ change: reachable?.change }),
                      'Reachable, change',
                    ),
                  ]
                : []),
            ]}
            others={othersOf(answer.reach, groups.length)}
          />
        </section>
      )}
    </>
  )
}

function commandOf(name: string): string | null {
  const start = `${BOT_PREFIX}command `
  return name.startsWith(start) ? name.slice(start.length) : null
}

const INLINE: ReadonlyMap<string, string> = new Map([
  [`${BOT_PREFIX}inline_query`, 'Inline queries'],
  [`${BOT_PREFIX}chosen_inline_result`, 'Chosen results'],
])

function inlineOf(name: string): string | null {
  return INLINE.get(name) ?? null
}

interface NamesShown extends BotShown {
  readonly title: string
  readonly nothing: string
  /** What an event is called here; null if it does not belong here. */
  readonly of: (name: string) => string | null
}

function Names({ title, nothing, view, home, answer, of }: NamesShown) {
  const usersHref = usersHrefOf(home, listEventNamesRoute.contract.path, periodQuery(view))
  const rows = answer.names.flatMap((row) => {
    const label = of(row.name)
    return label === null ? [] : [{ ...row, label }]
  })
  return (
    <section class="card">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="nothing">{nothing}</p>
      ) : (
        <FigureTable
          label={title}
          of="Event"
          rows={rows}
          nameOf={({ name, label }) => (
            <a href={hrefTo(view, `${home}/events`, { event: name })}>
              <bdi>{label}</bdi>
            </a>
          )}
          columns={[
            { label: 'Users', unit: COUNT, of: ({ users }) => users, users: ({ name }) => usersHref({ name }) },
            { label: 'Events', unit: COUNT, of: ({ events }) => events },
            { label: 'Per user', unit: RATIO, of: ({ events, users }) => events / users },
          ]}
        />
      )}
    </section>
  )
}
