import { giveUpPaying, hasWallet, order, pay, reopen, toNanotons } from './checkout.ts'
import { passTime } from './pastimes.ts'
import type { Session } from './session.ts'
import { INTERESTS } from './shop.ts'

/** Orders again, per visit, of those who have paid once. */
const BUYS_AGAIN = 0.09

/** One visit from the page's load to its end; `isFirst` = the day's first one, in which the journey goes on. */
export function spend(session: Session, { isFirst }: { isFirst: boolean }): void {
  session.add('Session start', undefined, [0.08, 0.9])
  session.add(isNewcomer(session) && isFirst ? 'Pageview /welcome' : 'Pageview /', undefined, [0.01, 0.2])
  if (isFirst) goOn(session)
  if (isFirst) lookAfterWallet(session)
  passTime(session)
  if (wantsMore(session)) buy(session)
  if (session.dice.chance(0.72)) session.add('Session end', { duration_seconds: session.seconds }, [1, 45])
}

function isNewcomer({ person, age }: Session): boolean {
  return age <= person.life.journey.finished && age < 7
}

/** The steps of the user's journey that are due today. */
function goOn(session: Session): void {
  const { age, dice } = session
  const { started, stepTwo, finished, ordered, paid } = session.person.life.journey
  if (age === started) session.add('Onboarding started', { variant: dice.pick(['a', 'b']) }, [0.8, 20])
  if (age === stepTwo) takeStepTwo(session)
  if (age === finished) finishOnboarding(session)
  if (age === ordered) {
    const cart = order(session, 'First order')
    if (age === paid) pay(session, cart)
    else giveUpPaying(session, cart)
  } else if (age === paid) pay(session, reopen(session))
}

function takeStepTwo(session: Session): void {
  session.add('[TS] Click | Continue', { tag: 'button', text: 'Continue', id: 'next' }, [3, 40])
  const interests = session.dice.some(INTERESTS, session.dice.whole(1, 3))
  session.add('Onboarding step 2', { interests, picked: interests.length }, [0.1, 0.6])
}

function finishOnboarding(session: Session): void {
  const isAllowed = session.person.allowsMessages
  if (isAllowed) session.allowMessages()
  session.add('WriteAccessRequested', { status: isAllowed ? 'allowed' : 'cancelled' }, [4, 45])
  session.add('Onboarding finished', { seconds: session.seconds, messages: isAllowed }, [0.5, 20])
}

/** A wallet tells its balance when it is connected and, now and then, when it comes back with the page. */
function lookAfterWallet(session: Session): void {
  const { wallet, life } = session.person
  if (!wallet || !hasWallet(session)) return
  const isNew = session.age === wallet.connectedAt
  if (isNew) session.add('[TS] Click | Connect wallet', { tag: 'button', text: 'Connect wallet', id: 'ton-connect' })
  if (!isNew && life.kind !== 'passer-by' && !session.dice.chance(0.35)) return
  session.add('Wallet', {
    wallet: wallet.address,
    provider: wallet.provider,
    chain: '-239',
    wallet_type: 'ton',
    wallet_version: 'v4R2',
    balance: toNanotons(wallet.balance * session.dice.skewed(0.5, 2)),
  })
}

function wantsMore({ age, person, dice }: Session): boolean {
  return age > person.life.journey.paid && dice.chance(BUYS_AGAIN)
}

function buy(session: Session): void {
  const cart = order(session, 'Order placed')
  if (session.dice.chance(0.8)) pay(session, cart)
  else giveUpPaying(session, cart)
}
