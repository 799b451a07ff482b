import { cohortsOfFigures } from '../../../questions/user-cohorts/cohorts.ts'
import { parseDefinition } from '../../../questions/user-cohorts/definition/contract.ts'
import { findUsersRoute } from '../../../questions/user-cohorts/routes.ts'
import { hrefTo, ownQuery } from '../../address.ts'
import type { PageContent } from '../../application-page.tsx'
import type { AnswerTo, ApplicationRequest } from '../../application-request.ts'
import { InputField } from '../../components/field.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { attempt, ProblemNote } from '../../components/problem.tsx'
import { definitionOf } from '../../figure-users.ts'
import { figureInWords } from '../../figure-words.ts'
import { counted } from '../../format.ts'
import { conditionField } from '../../forms.ts'
import type { Sorting } from './controls.tsx'
import { UserTable } from './table.tsx'

const LIMIT = 50

/** The users whom a figure of another page counts. */
export async function figureUsers(request: ApplicationRequest, sorting: Sorting): Promise<PageContent> {
  const { view, context } = request
  const [question, at] = [view.params.get('question') ?? '', view.params.get('at') ?? '{}']
  const definition = JSON.stringify(definitionOf({ question, at }))
  const query = { definition, ...sorting, ...ownQuery(view, ['offset']), limit: String(LIMIT) }
  const { data: answer, problem } = await attempt(findUsersRoute.ask({ query }, context))
  const words = figureInWords(question, at)
  return {
    title: 'Users',
    status: problem?.status,
    content: problem ? (
      <ProblemNote problem={problem} />
    ) : (
      <List request={request} answer={answer} sorting={sorting} words={words} definition={definition} />
    ),
  }
}

interface ListShown {
  readonly request: ApplicationRequest
  readonly answer: AnswerTo<typeof findUsersRoute>
  readonly sorting: Sorting
  readonly words: readonly string[]
  readonly definition: string
}

function List({ request, answer, sorting, words, definition }: ListShown) {
  const { view, home, clock, visitor } = request
  const { users: total, data: users, offset } = answer
  return (
    <section class="card">
      <div class="heading">
        <h2>
          <bdi>{[counted(total, 'user'), ...words].join(' · ')}</bdi>
        </h2>
        {visitor.canChange && total > 0 && <Saving home={home} words={words} definition={definition} />}
        <a href={hrefTo(view, view.path)}>All users</a>
      </div>
      {users.length === 0 ? (
        <p class="nothing">{total === 0 ? 'This figure counts no users.' : 'There are no users on this page.'}</p>
      ) : (
        <UserTable users={users} view={view} sorting={sorting} home={home} clock={clock} />
      )}
      <Pagination view={view} offset={offset} limit={LIMIT} total={total} shown={users.length} />
    </section>
  )
}

const MAX_NAME = 100

function Saving({ home, words, definition }: Pick<ListShown, 'words' | 'definition'> & { readonly home: string }) {
  const { match, conditions }: { match: string; conditions: { type: string }[] } = JSON.parse(definition)
  if (cohortsOfFigures(parseDefinition(definition)).length > 0) {
    return <p class="hint">These users depend on a cohort, so they cannot be saved as another one.</p>
  }
  return (
    <details class="menu saved">
      <summary>Save as cohort</summary>
      <form method="post" action={`${home}/cohorts`} class="panel">
        <input type="hidden" name="match" value={match} />
        {conditions.map((condition, place) => (
          <>
            <input type="hidden" name={conditionField(place, 'type')} value={condition.type} />
            <input type="hidden" name={conditionField(place, 'json')} value={JSON.stringify(condition)} />
          </>
        ))}
        <InputField
          label="Name"
          name="name"
          required
          maxlength={MAX_NAME}
          value={[...words.join(' · ')].slice(0, MAX_NAME).join('')}
          hint="The figure is counted anew whenever the cohort is used."
        />
        <button type="submit">Save</button>
      </form>
    </details>
  )
}
