/** Drawn in a square of 24 with lines of 2. */
const PATHS = {
  home: 'M3 11 12 3l9 8M5 9v12h14V9M10 21v-6h4v6',
  trend: 'M3 3v18h18M7 15l4-5 4 3 5-7',
  funnel: 'M3 4h18l-7 9v7l-4-2v-5z',
  grid: 'M3 3h18v18H3zM3 9h18M3 15h12M9 3v18M15 3v12',
  path: 'M3 6h5c5 0 3 12 8 12h5M3 6h18M18 3l3 3-3 3M18 15l3 3-3 3',
  users: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-9 14-9 14 0M16 3c4 1 4 7 0 8M22 21c0-3-1-5-3-6',
  group:
    'M12 2a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM7 12a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM17 12a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h1M3 12h1M3 18h1',
  coin: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v10M15 9c-2-2-6-1-6 1s6 2 6 4-4 3-6 1',
  board: 'M3 3h8v10H3zM13 3h8v6h-8zM13 12h8v9h-8zM3 16h8v5H3z',
  door: 'M13 3h7v18h-7M3 12h12M11 8l4 4-4 4',
  settings: 'M4 6h9M17 6h3M4 12h3M11 12h9M4 18h9M17 18h3M15 4v4M9 10v4M15 16v4',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  message: 'M4 4h16v12H10l-5 4v-4H4zM8 9h8M8 12h5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  person: 'M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM3 22c0-10 18-10 18 0',
  key: 'M8 8a5 5 0 1 0 0 10A5 5 0 0 0 8 8zM12 10l9-7M18 5l3 3',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
