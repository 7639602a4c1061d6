/** Validation of a payment before it is entered: parts, lines, bonuses, certificates. */
import { type CashDesk, ONLY_BY_LINK, takesByHand } from '@ordinator/model/areas/money/desk'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import type { TakeBody } from '@ordinator/model/areas/money/paymentCalls'
import { advanceOf, debtOf, kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { FieldError } from '@ordinator/model/check'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { certificateRoom } from './certificates.ts'
import { familyRoom } from './families.ts'
import { balanceOf } from './ledger.ts'
import { letterRoom } from './letters.ts'
import { aheadOf, checkChosen } from './lines.ts'
import { isMoney, total, waitsForTerminal } from './paymentParts.ts'

export const money = (kopecks: number): string => formatMoney(rubles(kopecks))

/**
 * Runs `check` and validates the chosen lines.
 * @param isPaid the payment system has the money, and gives its receipt where the desk leaves that to it
 */
export async function checked(tx: Tx, body: TakeBody, desk: Row<typeof CashDesk>, today: string, isPaid = false) {
  const certificates = await check(tx, body, desk, today, isPaid)
  const { idCustomer, lines = [], parts } = body
  await checkChosen(tx, lines, { idCustomer, idOrganization: desk.idOrganization, sum: total(parts) })
  return certificates
}

/**
 * Validates a payment; errors are at its fields.
 * @returns the certificates that pay, by the index of their part
 */
async function check(
  tx: Tx,
  body: TakeBody,
  desk: Row<typeof CashDesk>,
  today: string,
  isPaid: boolean,
): Promise<ReadonlyMap<number, number>> {
  const errors: FieldError[] = []
  const certificates = new Map<number, number>()
  const wrong = (field: string, message: string) => errors.push({ field, message })
  const cash = body.parts.find(({ method }) => method === 'cash')
  if (body.received != null) {
    if (!cash) wrong('received', 'Наличными не платят: сдачи не будет')
    else if (kopecks(body.received) < kopecks(cash.sum))
      wrong(
        'received',
        `Получено меньше, чем платят наличными: не хватает ${money(kopecks(cash.sum) - kopecks(body.received))}`,
      )
  }
  if (body.idPayer === body.idCustomer) wrong('idPayer', 'Это сам клиент: другого плательщика не нужно')
  if (body.parts.length === 0 && body.bonus === undefined) wrong('parts', 'Укажите, чем платят')
  const seen = new Set<string>()
  const { idOrganization } = desk
  const isWaiting = waitsForTerminal(desk, body.parts)
  const owed = debtOf(await balanceOf(tx, body.idCustomer, idOrganization))
  const { idCustomer, sells } = body
  if (sells) {
    if (body.lines?.length) wrong('lines', 'Сертификат продают отдельной оплатой')
    if (body.idPayer) wrong('idPayer', 'Сертификат покупает тот, кто платит')
    if (sells.dateTo < today) wrong('sells.dateTo', 'Этот день уже прошёл')
  }
  if (body.membership) {
    if (sells) wrong('membership', 'Сертификат и абонемент продают отдельными оплатами')
    if (body.lines?.length) wrong('lines', 'Абонемент продают отдельной оплатой')
    if (body.idPayer) wrong('idPayer', 'Абонемент покупает тот, кто платит')
    if (isWaiting && body.parts.length > 1) wrong('parts', 'Через терминал абонемент оплачивают одной суммой')
    for (const [at, { method }] of body.parts.entries())
      if (!isMoney(method) && method !== 'certificate')
        wrong(`parts.${at}.method`, 'За абонемент платят деньгами или сертификатом')
  }
  let ofOthers = 0
  for (const [at, { method, sum, idGuarantee, certificate }] of body.parts.entries()) {
    const mark = `${method}${idGuarantee ?? ''}`
    if (seen.has(mark) && method === 'certificate')
      wrong(`parts.${at}.certificate`, 'За раз платят одним сертификатом: другой проведите отдельной оплатой')
    if (seen.has(mark)) wrong(`parts.${at}.method`, `«${paymentMethods[method]}» уже есть: сложите суммы`)
    seen.add(mark)
    if (!isPaid && method !== 'insurer' && !takesByHand(desk)) wrong(`parts.${at}.method`, ONLY_BY_LINK)
    if (method !== 'insurer' && idGuarantee) wrong(`parts.${at}.idGuarantee`, 'Письмо бывает только у оплаты страховой')
    if (method !== 'certificate' && certificate)
      wrong(`parts.${at}.certificate`, 'Номер бывает только у оплаты сертификатом')
    if (isMoney(method)) continue
    if (sells) wrong(`parts.${at}.method`, 'За сертификат платят деньгами')
    ofOthers += kopecks(sum)
    if (method === 'certificate') {
      const found = await certificateRoom(tx, { number: certificate, idCustomer, idOrganization, day: today })
      if (typeof found === 'string') wrong(`parts.${at}.certificate`, found)
      else {
        certificates.set(at, found.id)
        const wanted = body.membership ? total(body.parts) : owed + (await aheadOf(tx, body.lines ?? []))
        if (kopecks(sum) > found.room) wrong(`parts.${at}.sum`, `На сертификате осталось ${money(found.room)}`)
        else if (ofOthers > wanted)
          wrong(`parts.${at}.sum`, `Сертификатом платят за услуги: сейчас к оплате ${money(wanted)}`)
      }
      continue
    }
    if (isWaiting) wrong(`parts.${at}.method`, 'Эту часть и оплату через терминал проведите отдельно')
    if (ofOthers > owed) wrong(`parts.${at}.sum`, `Так можно закрыть только долг: сейчас он ${money(owed)}`)
    if (method === 'insurer') {
      const room = await letterRoom(tx, idGuarantee, body.idCustomer, today)
      if (typeof room === 'string') wrong(`parts.${at}.idGuarantee`, room)
      else if (kopecks(sum) > room) wrong(`parts.${at}.sum`, `По письму осталось ${money(room)}`)
    } else if (!body.idPayer)
      wrong(`parts.${at}.method`, 'Аванс клиента и так уменьшает его долг: выберите, чьим авансом платят')
    else {
      const ahead = advanceOf(await balanceOf(tx, body.idPayer, desk.idOrganization))
      const family = await familyRoom(tx, { idPayer: body.idPayer, idCustomer, day: today })
      if (typeof family === 'string') wrong(`parts.${at}.method`, family)
      else if (family && kopecks(sum) > family.room)
        wrong(`parts.${at}.sum`, `По лимиту семейного счёта в этом месяце осталось ${money(family.room)}`)
      else if (kopecks(sum) > ahead) wrong(`parts.${at}.sum`, `Аванс плательщика — ${money(ahead)}`)
    }
  }
  if (errors.length) throw new ValidationError(errors)
  return certificates
}
