import { getBotReachRoute } from '../../../src/questions/bot-reach/routes.ts'
import { askedReaches } from '../../support/made-up-bot-use.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerReach } from '../../support/reach-oracle.ts'

answersAsOracle({
  cases: askedReaches,
  answer: (objects, { path }) => objects.askAt(getBotReachRoute, path),
  expected: answerReach,
})
