import { hrefWith, type View } from '../request/address.ts'
import { Segments } from './segments.tsx'

interface Tab {
  readonly name: string
  readonly label: string
}

interface TabsShown {
  readonly view: View
  /** What the tabs are of, for screen readers. */
  readonly label: string
  /** The id of the part of the page that they change. */
  readonly id: string
  readonly tabs: readonly Tab[]
}

/** The tabs of several cards share a parameter, which an address has once for each card. */
const PARAM = 'tab'

/** The tab of a card that an address asks for; the first by default. */
export function chosenTab<T extends Tab>({ params }: Pick<View, 'params'>, tabs: readonly T[]): T {
  const asked = params.getAll(PARAM)
  return tabs.find(({ name }) => asked.includes(name)) ?? (tabs[0] as T)
}

/** Links that change what one card shows. */
export function Tabs({ view, label, id, tabs }: TabsShown) {
  const chosen = chosenTab(view, tabs)
  const others = view.params.getAll(PARAM).filter((name) => tabs.every((tab) => tab.name !== name))
  const links = tabs.map((tab, place) => ({
    label: tab.label,
    href: `${hrefWith(view, { [PARAM]: place === 0 ? others : [...others, tab.name] })}#${id}`,
    here: `${id}-${tab.name}`,
    isCurrent: tab === chosen,
  }))
  return <Segments kind="tabs" label={label} links={links} />
}
