import { accountCalls } from './accountCalls.ts'
import { deskCalls } from './deskCalls.ts'
import { linkCalls } from './linkCalls.ts'
import { paymentCalls } from './paymentCalls.ts'

export const moneyCalls = { ...accountCalls, ...paymentCalls, ...linkCalls, ...deskCalls }
