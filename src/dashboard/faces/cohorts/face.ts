import type { Face } from '../face.ts'

/** The page of cohorts also changes them, so it is in `pages/`. */
export const cohortsFace: Face = {
  page: 'cohorts',
  navigation: { label: 'Cohorts', icon: 'group' },
  answers: {
    listCohorts: () => [],
    getCohort: ({ path }) => [['name', path.name ?? '']],
    listCohortUsers: ({ path }) => [['name', path.name ?? '']],
  },
}
