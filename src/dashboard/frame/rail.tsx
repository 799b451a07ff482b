import type { Child } from 'hono/jsx'
import { Icon, type IconName } from '../words/icon.tsx'

interface PageLink {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
  readonly isInBar?: boolean | undefined
}

/** A rail where there is room, tabs where there is less, and on a phone a bar at its foot, which has the rest under More. */
export function Navigation({ label, links }: { label: string; links: readonly PageLink[] }) {
  const others = links.filter(({ isInBar }) => !isInBar)
  return (
    <nav class="rail" aria-label={label}>
      {links.map((link) => (
        <NavigationLink {...link} class={link.isInBar ? 'rail-link in-bar' : 'rail-link not-in-bar'} />
      ))}
      {others.length > 0 && (
        <details class="menu more-pages">
          <summary
            class="rail-link in-bar"
            aria-current={others.some(({ isCurrent }) => isCurrent) ? 'true' : undefined}
          >
            <Icon name="more" />
            More
          </summary>
          <div class="panel">
            {others.map((link) => (
              <NavigationLink {...link} class="rail-link" />
            ))}
          </div>
        </details>
      )}
    </nav>
  )
}

function NavigationLink({
  href,
  label,
  icon,
  isCurrent,
  ...look
}: Omit<PageLink, 'isInBar'> & { class: string }): Child {
  return (
    <a href={href} class={look.class} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  )
}
