import { BOT_PREFIX } from '../../../questions/bot-reach/bot-events.ts'
import { BarList } from '../../figures/bars.tsx'
import { NO_EARLIER_DATA, previousPeriod } from '../../figures/comparison.ts'
import { Nothing } from '../../figures/empty.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { MAX_LINES, Plot } from '../../figures/plot.tsx'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { endsToday, hrefTo, ownQuery, periodQuery, type View } from '../../request/address.ts'
import { toCount, toFigure, toWeekday } from '../../words/format.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { BOT_PARAMS, type BotAnswer, BY_BUTTON, BY_CHAT } from './question.ts'

interface BotShown {
  readonly view: View
  readonly home: string
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
  const usersOf = (asked: Readonly<Record<string, string>>) =>
    usersHrefOf(home, '/events/segmentation', { ...periodQuery(view), ...asked })
  const [usersOfChat, usersOfButton] = [usersOf(BY_CHAT), usersOf(BY_BUTTON)]
  return (
    <>
      <Reach {...shown} />
      <div class="grid">
        <Names title="Commands" nothing="No commands in this period." {...shown} of={commandOf} />
        <Names title="Inline" nothing="No inline queries in this period." {...shown} of={inlineOf} />
        <BarList
          title="Chats by type"
          of="Users"
          nothing="No messages in this period."
          rows={chats.map(({ name, users: value }) => ({
            label: labelOfValue('referrer_type', name),
            value,
            users: usersOfChat({ group: [name] }),
          }))}
        />
        <BarList
          title="Buttons by data"
          of="Users"
          nothing="No buttons were pressed in this period."
          rows={buttons.map(({ name, users: value }) => ({
            label: name,
            value,
            users: usersOfButton({ group: [name] }),
          }))}
        />
      </div>
    </>
  )
}

const FIGURES = [
  ['reachable', 'Reachable users', 'Users whom the bot may write to, at the end of the period'],
  ['gained', 'Gained', 'Users who became reachable'],
  ['lost', 'Blocked', 'Reachable users who blocked the bot'],
] as const

/** The users of the figures of reach. */
function usersOfReach({ view, home }: Pick<BotShown, 'view' | 'home'>) {
  return usersHrefOf(home, '/bot/reach', { ...periodQuery(view), ...ownQuery(view, BOT_PARAMS) })
}

function Reach(shown: BotShown) {
  const { view, isComparable } = shown
  const { xValues, yValues, groups } = shown.answer.reach
  const usersHref = usersOfReach(shown)
  const by = view.params.get('by') ?? ''
  const stats = FIGURES.map(([series, label, hint], place) => {
    const { key_value: users = 0, change = 0 } = yValues[place] ?? {}
    return {
      label,
      hint,
      value: toCount(users),
      users: users > 0 ? usersHref({ series }) : undefined,
      // More blocks are no success, as the colour of a rise would say.
      change: isComparable && series !== 'lost' ? change : null,
      ...(!isComparable && { note: NO_EARLIER_DATA }),
    }
  })
  const lines = groups.map(({ name, yValues: [reachable] }, place) => ({
    name: labelOfValue(by, name),
    data: reachable?.data ?? [],
    isUndrawn: place >= MAX_LINES,
    usersAt: (day: string) => usersHref({ series: 'reachable', day, group: name }),
  }))
  const all = yValues.map(({ name: series, data }, place) => ({
    name: FIGURES[place]?.[1] ?? '',
    data,
    usersAt: (day: string) => usersHref({ series, day }),
  }))
  const shared = { kind: 'lines', of: 'Day', labels: xValues.data, toLabel: toWeekday, toText: toCount } as const
  return (
    <>
      <StatTiles stats={stats} vs={previousPeriod(view)} />
      <Plot
        title="Reachable users by day"
        {...shared}
        isOpen={endsToday(view)}
        series={lines.length > 0 ? lines : all.slice(0, 1)}
      />
      <Plot title="Gained and blocked by day" {...shared} isOpen={endsToday(view)} series={all.slice(1)} />
      {groups.length > 0 && <Groups {...shown} by={by} groups={groups} />}
    </>
  )
}

interface GroupsShown extends Pick<BotShown, 'view' | 'home'> {
  readonly by: string
  readonly groups: BotAnswer['reach']['groups']
}

function Groups({ by, groups, ...shown }: GroupsShown) {
  const usersHref = usersOfReach(shown)
  const columns = [labelOfProperty(by), ...FIGURES.map(([, label]) => numberColumn(label))]
  return (
    <section class="card">
      <h2>{`Reach by ${labelOfProperty(by)}`}</h2>
      <ListTable label="Reach by group" columns={columns}>
        {groups.map(({ name: group, yValues }) => (
          <tr>
            <th scope="row">
              <bdi>{labelOfValue(by, group)}</bdi>
            </th>
            {yValues.map(({ name: series, key_value: value }) => (
              <NumberCell value={value} users={usersHref({ series, group })} />
            ))}
          </tr>
        ))}
      </ListTable>
    </section>
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
  /** What an event is called here; null where it does not belong here. */
  readonly of: (name: string) => string | null
}

function Names({ title, nothing, view, home, answer, of }: NamesShown) {
  const usersHref = usersHrefOf(home, '/events/names', periodQuery(view))
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
        <ListTable label={title} columns={['Event', ...['Users', 'Events', 'Per user'].map(numberColumn)]}>
          {rows.map(({ name, label, users, events }) => (
            <tr>
              <th scope="row">
                <a href={hrefTo(view, `${home}/events`, { event: name })}>
                  <bdi>{label}</bdi>
                </a>
              </th>
              <NumberCell value={users} users={usersHref({ name })} />
              <NumberCell value={events} />
              <NumberCell value={events / users} text={toFigure(events / users)} />
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  )
}
