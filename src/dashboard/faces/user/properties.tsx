import type { Child } from 'hono/jsx'
import { toDouble } from '../../../base/decimal.ts'
import { SESSION_GAP_MINUTES } from '../../../columns/selection/sessions.ts'
import type { UserRevenue } from '../../../questions/revenue/user-revenue.ts'
import type { UserSegmentationEntry } from '../../../questions/users/contract.ts'
import type { UserWallet } from '../../../questions/users/stored-users.ts'
import { hrefTo } from '../../request/address.ts'
import type { OnPage } from '../../request/application-request.ts'
import { type Clock, counted, toAge, toCount, toFigure, toMoment, toMoney } from '../../words/format.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { atName, messengerAddress } from '../users/people.ts'

/** What acquired a user, as far as it is known. */
const ACQUIRED = ['source', 'medium', 'campaign', 'content', 'referrer', 'acquired_by'] as const

const NANOTONS_PER_TON = 1e9

interface PropertiesShown extends OnPage {
  readonly user: UserSegmentationEntry
  readonly wallet: UserWallet | null
  readonly paid: readonly UserRevenue[]
  /** The number of the user's last session; null if it is not on the page. */
  readonly sessions: number | null
}

export function UserProperties({ user, wallet, paid, sessions, view, home, clock }: PropertiesShown) {
  const shared = (name: 'country' | 'city' | 'language' | 'utm') => {
    const value = user[name]
    const label = value && <bdi>{labelOfValue(name, value)}</bdi>
    return (
      <Property name={labelOfProperty(name)}>
        {label && <a href={hrefTo(view, `${home}/users`, { [name]: value })}>{label}</a>}
      </Property>
    )
  }
  const model = [user.brand, user.model].filter(Boolean).join(' ')
  const premium = user.is_premium === null ? null : user.is_premium ? 'Yes' : 'No'
  return (
    <dl class="facts">
      <Property name="Id">{user.telegram_id}</Property>
      {shared('country')}
      {shared('city')}
      {shared('language')}
      <Property name="Premium">{premium}</Property>
      {shared('utm')}
      {ACQUIRED.map(
        (name) =>
          user[name] && (
            <Property name={labelOfProperty(name)}>
              <bdi>{user[name]}</bdi>
            </Property>
          ),
      )}
      <Property name={labelOfProperty('device')}>
        {user.device && <bdi>{labelOfValue('device', user.device)}</bdi>}
      </Property>
      <Property name="Device">{model && <bdi>{model}</bdi>}</Property>
      <Property name="First seen">
        <Moment iso={user.first_active_at} clock={clock} />
      </Property>
      <Property name="Last seen">
        <Moment iso={user.last_active_at} clock={clock} />
      </Property>
      {sessions !== null && (
        <Property name="Sessions" hint={`A session ends after ${SESSION_GAP_MINUTES} minutes of inactivity`}>
          {toCount(sessions)}
        </Property>
      )}
      <Property name="Client sessions" hint="As the client reports them: not every client does">
        {toCount(user.total_sessions)}
      </Property>
      <Property name="Events">{toCount(user.total_events)}</Property>
      {paid.map(({ currency, payments, net }) => (
        <Property name="Paid" hint="Sales and renewals, less refunds">
          {`${toMoney(toDouble(net), currency)} in ${counted(payments, 'payment')}`}
        </Property>
      ))}
      {wallet && <Wallet wallet={wallet} />}
    </dl>
  )
}

function Property({ name, hint, children }: { name: string; hint?: string; children?: Child }) {
  return (
    <div>
      <dt title={hint}>{name}</dt>
      <dd>{children || '–'}</dd>
    </div>
  )
}

export function Username({ username }: { username: string }) {
  const address = messengerAddress(username)
  const name = <bdi>{atName(username)}</bdi>
  return address === null ? (
    name
  ) : (
    <a href={address} rel="noreferrer">
      {name}
    </a>
  )
}

function Moment({ iso, clock }: { iso: string; clock: Clock }) {
  return (
    <>
      <time datetime={iso}>{toMoment(iso, clock)}</time> <span class="hint">{toAge(iso, clock.now)}</span>
    </>
  )
}

function Wallet({ wallet: { provider, balance, volume } }: { wallet: UserWallet }) {
  return (
    <>
      <Property name="Wallet">{provider && <bdi>{provider}</bdi>}</Property>
      <Property name="Wallet balance" hint="As the wallet last reported it, usually in nanotons">
        {toFigure(balance)}
      </Property>
      <Property name="Paid by wallet" hint="The sum of signed transactions">
        {`${toFigure(volume / NANOTONS_PER_TON)} TON`}
      </Property>
    </>
  )
}
