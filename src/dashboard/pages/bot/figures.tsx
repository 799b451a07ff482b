import { BOT_PREFIX } from '../../../questions/bot-reach/bot-events.ts'
import { endsToday, hrefTo, type View } from '../../address.ts'
import { NO_EARLIER_DATA, previousPeriod } from '../../comparison.ts'
import { BarList } from '../../components/bars.tsx'
import { Nothing } from '../../components/empty.tsx'
import { MAX_LINES, Plot } from '../../components/plot.tsx'
import { StatTiles } from '../../components/stat-tiles.tsx'
import { ListTable, NumberCell, numberColumn } from '../../components/table.tsx'
import { toCount, toFigure, toWeekday } from '../../format.ts'
import { labelOfProperty, labelOfValue } from '../../labels.ts'
import type { BotAnswer } from './question.ts'

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
        <a href={`${hrefTo(view, `${home}/settings`)}#capture`}>Choose updates and commands</a>
      </Nothing>
    )
  }
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
          rows={chats.map(({ name, users }) => ({ label: labelOfValue('referrer_type', name), value: users }))}
        />
        <BarList
          title="Buttons by data"
          of="Users"
          nothing="No buttons were pressed in this period."
          rows={buttons.map(({ name, users }) => ({ label: name, value: users }))}
        />
      </div>
    </>
  )
}

const FIGURES = [
  ['reachable', 'Reachable users', 'Users whom the bot may write to, at the end of the period'],
  ['gained', 'Gained', 'How often users became reachable'],
  ['lost', 'Blocked', 'How often reachable users blocked the bot'],
] as const

function Reach({ view, answer: { reach }, isComparable }: BotShown) {
  const { xValues, yValues, groups } = reach
  const by = view.params.get('by') ?? ''
  const stats = FIGURES.map(([name, label, hint], place) => ({
    label,
    hint,
    value: toCount(yValues[place]?.key_value ?? 0),
    // More blocks are no success, as the colour of a rise would say.
    change: isComparable && name !== 'lost' ? (yValues[place]?.change ?? null) : null,
    ...(!isComparable && { note: NO_EARLIER_DATA }),
  }))
  const lines = groups.map(({ name, yValues: [reachable] }, place) => ({
    name: labelOfValue(by, name),
    data: reachable?.data ?? [],
    isUndrawn: place >= MAX_LINES,
  }))
  const all = yValues.map(({ data }, place) => ({ name: FIGURES[place]?.[1] ?? '', data }))
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
      {groups.length > 0 && <Groups by={by} groups={groups} />}
    </>
  )
}

function Groups({ by, groups }: { by: string; groups: BotAnswer['reach']['groups'] }) {
  const columns = [labelOfProperty(by), ...FIGURES.map(([, label]) => numberColumn(label))]
  return (
    <section class="card">
      <h2>{`Reach by ${labelOfProperty(by)}`}</h2>
      <ListTable label="Reach by group" columns={columns}>
        {groups.map(({ name, yValues }) => (
          <tr>
            <th scope="row">
              <bdi>{labelOfValue(by, name)}</bdi>
            </th>
            {yValues.map(({ key_value: value }) => (
              <NumberCell value={value} />
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
              <NumberCell value={users} />
              <NumberCell value={events} />
              <NumberCell value={events / users} text={toFigure(events / users)} />
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  )
}
