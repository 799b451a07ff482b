import { z } from 'zod'
import { Registration } from '../../../src/accounts/applications/contract.ts'
import { MeasureChoice, ParamChoice } from '../../../src/dashboard/faces/events/measure-choice.tsx'
import { FunnelForm } from '../../../src/dashboard/faces/funnels/form.tsx'
import { BoundField } from '../../../src/dashboard/forms/bound-field.tsx'
import { Confirmation, TypedConfirmation } from '../../../src/dashboard/forms/confirmation.tsx'
import { DetailsFields, NameField } from '../../../src/dashboard/forms/details-fields.tsx'
import { InputField, SelectField } from '../../../src/dashboard/forms/field.tsx'
import { FilterBar } from '../../../src/dashboard/forms/filter-bar.tsx'
import { type Body, formOf } from '../../../src/dashboard/forms/form-of.ts'
import { AddRow, FilterRows, RemoveRow } from '../../../src/dashboard/forms/rows.tsx'
import { SearchForm } from '../../../src/dashboard/forms/search.tsx'
import { TimeZoneField } from '../../../src/dashboard/forms/time-zones.tsx'
import { SavedMenu, SavedNote } from '../../../src/dashboard/frame/saved-menu.tsx'
import { AlertForm } from '../../../src/dashboard/pages/notifications/forms.tsx'
import type { PageProblem } from '../../../src/dashboard/request/problem.tsx'
import { Example, FILTERS, HEBREW, HOME, LONG, viewOf } from './frame.tsx'

const PARAMS = ['params.price', `params.${LONG}`]

export function Forms() {
  return (
    <>
      <Toolbar />
      <Question />
      <Fields />
      <Details />
      <Bound />
      <Measures />
      <Rows />
      <Confirmations />
    </>
  )
}

function Toolbar() {
  const address = `?${new URLSearchParams(FILTERS)}`
  const saved = ['Buyers', LONG].map((name, place) => ({ id: `${place}`, name, address: place === 0 ? address : '' }))
  const view = viewOf(address)
  const shown = {
    saved: saved as object[] as Parameters<typeof SavedMenu>[0]['saved'],
    view,
    home: HOME,
    canSave: true,
  }
  return (
    <>
      <Example title="Period, filters and saved reports">
        <FilterBar view={view} params={PARAMS} cohorts={[HEBREW]} valuesHref={`${HOME}/property-values`}>
          <SavedMenu {...shown} />
        </FilterBar>
      </Example>
      <Example title="A report that was saved">
        <SavedNote {...shown} news="new" />
      </Example>
      <Example title="A search">
        <SearchForm action={`${HOME}/search`} name="q" label="Find an event" value={HEBREW} />
      </Example>
    </>
  )
}

const WRONG: PageProblem = {
  status: 422,
  sentence: 'Check these fields.',
  faults: [
    { loc: ['query', 'events', 1], msg: 'String should have at most 255 characters', type: 'string_too_long' },
    { loc: ['body', 'wrong'], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'chosen'], msg: 'Input should be one of these', type: 'enum' },
    { loc: ['body', 'link'], msg: 'Input should be a URL', type: 'value_error' },
  ],
}

function Question() {
  const events = ['Product viewed', LONG, HEBREW].map((name): [string, string] => ['events', name])
  const view = viewOf(`/funnels?${new URLSearchParams(events)}`)
  return (
    <Example title="A question, one step of which is wrong">
      <FunnelForm view={view} names={[HEBREW]} params={PARAMS} cohorts={[HEBREW]} problem={WRONG} />
    </Example>
  )
}

const DRAFT: Body = {
  name: LONG,
  rule: { type: 'changes_by', question: HEBREW, percent: 'half' },
  target: { type: 'webhook', url: '' },
}

const REFUSED: PageProblem = {
  status: 422,
  sentence: 'Check these fields.',
  faults: [
    { loc: ['body', 'rule', 'percent'], msg: 'Input should be a valid number', type: 'float_type' },
    { loc: ['body', 'target', 'url'], msg: 'Field required', type: 'missing' },
  ],
}

/** A form that is bound to a contract: with variants, as it was refused. */
function Bound() {
  return (
    <Example title="A form whose fields are those of the API, refused">
      <AlertForm action="/" members={[]} problem={REFUSED} typed={DRAFT} reports={[HEBREW, LONG]} />
    </Example>
  )
}

const switches = { form: formOf(z.object({ on: z.boolean(), off: z.boolean() })), body: { on: true }, problem: null }

const rules = {
  form: formOf(
    z.object({ filters: z.array(z.object({ prop: z.string(), op: z.string(), values: z.array(z.string()) })) }),
  ),
  body: { filters: [{ prop: 'params.price', op: 'is', values: [HEBREW, LONG] }] },
  problem: null,
}

/** Rows that are added and removed. */
function Rows() {
  return (
    <form class="card fields" aria-label="Rows">
      <FilterRows of={rules} at="filters" params={PARAMS} hasUser={false} />
      <div class="row">
        <AddRow of={rules} at="filters" item="filter" />
        <RemoveRow at="filters" item="filter" place={0} />
      </div>
    </form>
  )
}

function Fields() {
  const options = [['a', 'One'] as const, ['b', LONG] as const]
  return (
    <form class="card fields" aria-label="Fields">
      <InputField label="Empty" name="empty" placeholder="Nothing yet" />
      <InputField label="Filled in" name="filled" value={HEBREW} hint="It says what it is for." />
      <InputField label="Wrong" name="wrong" value={LONG} hint="It says what it is for." problem={WRONG} />
      <SelectField label="One of several" name="one" value="b" options={options} problem={null} />
      <SelectField label="Wrong choice" name="chosen" value="a" options={options} problem={WRONG} />
      <BoundField of={switches} at="on" label="On" hint="It says what it is for." />
      <BoundField of={switches} at="off" label="Off" hint="It says what it is for." />
      <div class="row">
        <button type="submit">Save</button>
        <button type="button" class="quiet">
          Cancel
        </button>
        <button type="button" class="danger">
          Delete
        </button>
      </div>
    </form>
  )
}

function Details() {
  const form = formOf(Registration)
  const body = {
    name: LONG,
    link: 'nowhere',
    description: HEBREW,
    photo_url: 'https://examples.test/b.png',
    time_zone: 'Asia/Jakarta',
  }
  return (
    <form class="card fields" aria-label="Details">
      <NameField of={{ form, body, problem: null }} />
      <DetailsFields of={{ form, body, problem: WRONG }} />
      <TimeZoneField of={{ form, body, problem: null }} />
    </form>
  )
}

function Measures() {
  const measured = { label: 'Measure', name: 'mode', value: 'sum', ofName: 'of' }
  return (
    <form class="card question" aria-label="Measures">
      <div class="row">
        <MeasureChoice {...measured} />
        <ParamChoice label="Parameter" name="of" value="params.price" params={PARAMS} />
      </div>
      <MeasureChoice {...measured} name="mode_b" value="mean" ofName="of_b" faults={['Choose one of the options']} />
    </form>
  )
}

function Confirmations() {
  const typed = { text: () => 'lemon' } as object as Parameters<typeof TypedConfirmation>[0]['typed']
  const problem = {
    ...WRONG,
    faults: [{ loc: ['body', 'confirm'], msg: 'Type the handle to confirm', type: 'value_error' }],
  }
  return (
    <>
      <Example title="What takes two clicks">
        <Confirmation action="Revoke" label="Revoke …4711" sure="Revoke it" href={HOME}>
          Clients with this key stop at once.
        </Confirmation>
      </Example>
      <Example title="What takes a text, refused">
        <TypedConfirmation action="Delete" name="lemon_shop_bot" href={HOME} typed={typed} problem={problem} />
      </Example>
    </>
  )
}
