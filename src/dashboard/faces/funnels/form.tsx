import { STEPS } from '../../../questions/funnels/contract.ts'
import { namesIn } from '../../../questions/funnels/saved.ts'
import { faultsOfItem, faultsOfList } from '../../forms/field.tsx'
import { BREAKDOWN, EventInput, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import { ListFaults, OptionsMenu, WindowMenu } from './options.tsx'
import { funnel, NEW_FUNNEL } from './question.ts'
import { WINDOW_FIELDS } from './window.ts'

export function FunnelForm(fields: QuestionFields) {
  return (
    <QuestionForm
      {...fields}
      question={funnel}
      fields={BREAKDOWN}
      own={[...Object.values(WINDOW_FIELDS), NEW_FUNNEL]}
      above={<Steps {...fields} />}
      rowKind="asked"
    >
      <WindowMenu {...fields} />
      <OptionsMenu {...fields} />
    </QuestionForm>
  )
}

function Steps({ view, problem }: Pick<QuestionFields, 'view' | 'problem'>) {
  const steps = namesIn(view, 'events')
  const length = Math.max(steps.length, Math.min(STEPS.max, Math.max(STEPS.min, steps.length + 1)))
  return (
    <fieldset>
      <legend class="unseen">Steps</legend>
      <ol class="steps">
        {Array.from({ length }, (_, place) => (
          <li>
            <EventInput
              label={<span class="unseen">{`Step ${place + 1}`}</span>}
              name="events"
              id={`step-${place + 1}`}
              value={steps[place] ?? ''}
              title={steps[place]}
              placeholder={place < STEPS.min ? `Select step ${place + 1}` : 'Add step'}
              faults={faultsOfItem(problem, 'events', place)}
            />
            {place < steps.length && <StepLinks view={view} steps={steps} place={place} />}
          </li>
        ))}
      </ol>
      <ListFaults faults={faultsOfList(problem, 'events')} />
    </fieldset>
  )
}

/** A step goes to the front, or away, by a link: that needs no script. */
function StepLinks({ view, steps, place }: { view: View; steps: readonly string[]; place: number }) {
  const name = steps[place] ?? ''
  const without = steps.toSpliced(place, 1)
  const earlier = without.toSpliced(place - 1, 0, name)
  return (
    <span class="step-links">
      {place > 0 && (
        <a href={hrefWith(view, { events: earlier })} aria-label={`Move step ${place + 1} up: ${name}`} title="Move up">
          ←
        </a>
      )}
      <a
        href={hrefWith(view, { events: without, ...(without.length === 0 && { [NEW_FUNNEL]: 'true' }) })}
        aria-label={`Remove step ${place + 1}: ${name}`}
        title="Remove"
      >
        ×
      </a>
    </span>
  )
}
