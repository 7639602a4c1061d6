import { customerCard as appeals } from '#areas/appeals/customerCard.tsx'
import CustomerPage from '#areas/customers/card/CustomerPage.tsx'
import { customerCard as egisz } from '#areas/egisz/customerCard.tsx'
import { customerCard as eln } from '#areas/eln/customerCard.tsx'
import { customerCard as examinations } from '#areas/examinations/customerCard.tsx'
import { customerCard as laboratory } from '#areas/laboratory/customerCard.tsx'
import { customerCard as messages } from '#areas/messages/customerCard.tsx'
import { customerCard as money } from '#areas/money/customerCard.tsx'
import { customerCard as outside } from '#areas/outside/customerCard.tsx'
import { customerCard as plans } from '#areas/plans/customerCard.tsx'
import { customerCard as schedule } from '#areas/schedule/customerCard.tsx'

/** The areas with parts in the card of a patient, in the order of its tabs, buttons and items. */
const cards = [money, schedule, plans, examinations, eln, laboratory, messages, appeals, outside, egisz]

/** Карта клиента, with the parts of all areas. */
export default function CustomerScreen() {
  return <CustomerPage cards={cards} />
}
