import { restWords } from '@ordinator/model/areas/memberships/rules'
import { shareText } from '@ordinator/model/areas/visits/shares'
import { formatMoney } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { spanText } from '#kit/dayGrid/scale.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { roomText, startOf } from '../day.ts'
import { AddServiceDialog } from './AddServiceDialog.tsx'
import { AskLetter } from './AskLetter.tsx'
import { LinePrice } from './LinePrice.tsx'
import { LineMenu, type useLines } from './lines.tsx'
import { OfferedIn, type useOffered } from './OfferedIn.tsx'
import type { Price, useCoverage } from './usePrice.ts'
import classes from './VisitPanel.module.css'
import type { Visit } from './visit.ts'

type Coupon = Visit['coupons'][number]

interface Props {
  visit: Visit
  lines: ReturnType<typeof useLines>
  offered: ReturnType<typeof useOffered>
  covered: ReturnType<typeof useCoverage>['data']
  price: Price | undefined
}

/** Services of a visit by their times, with prices and payers. */
export function VisitLines(props: Props) {
  const { visit, lines } = props
  const [adding, setAdding] = useState(false)
  return (
    <section aria-label="Услуги">
      <h2>Услуги</h2>
      <VStack component="ul" gap={8} mt={8}>
        {visit.coupons.map((coupon) => (
          <li key={coupon.id} className={classes.coupon}>
            <HStack wrap gap={8}>
              <strong className="tabular">
                {spanText({ from: startOf(coupon), to: startOf(coupon) + coupon.minutes })}
              </strong>
              {coupon.user && <UserLink user={coupon.user} />}
              {coupon.room && <Muted>{roomText(coupon.room.name)}</Muted>}
              {coupon.equipment && <Muted>{coupon.equipment}</Muted>}
              {coupon.overbooked && <Muted>сверх расписания</Muted>}
            </HStack>
            {coupon.services.map((line) => (
              <Line key={line.id} {...props} coupon={coupon} line={line} />
            ))}
          </li>
        ))}
      </VStack>
      {lines.mayAdd(visit, visit.coupons) && (
        <ActionButton
          label="Добавить услугу…"
          icon={IconPlus}
          variant="subtle"
          size="compact-sm"
          mt={8}
          onClick={() => setAdding(true)}
        />
      )}
      {adding && <AddServiceDialog visit={visit} onClose={() => setAdding(false)} />}
    </section>
  )
}

interface LineProps extends Props {
  coupon: Coupon
  line: Coupon['services'][number]
}

function Line({ visit, lines, offered, covered, price, coupon, line }: LineProps) {
  const name = line.service?.nameService ?? 'Услуга'
  const priced = price?.lines.find(({ id }) => id === line.id)
  const cover = covered?.lines.find(({ id }) => id === line.id)
  const [marks, refuses] = [lines.mayMark(visit, coupon), lines.mayRefuse(visit)]
  const [shares, covers] = [lines.mayShare(line), lines.mayCover(visit, line)]
  const share = () =>
    lines.share({
      id: line.id,
      name,
      doctor: { id: coupon.idUser, user: coupon.user },
      performers: line.performers,
    })
  return (
    <VStack gap={2} className={classes.line}>
      <HStack gap={8}>
        <span className={classes.service} data-cancelled={line.cancelled || undefined}>
          {name}
          {Number(line.qty) !== 1 && ` × ${Number(line.qty)}`}
        </span>
        {line.completed && <Fine>оказана</Fine>}
        <span className="tabular nowrap">{formatMoney(priced?.final ?? line.finalCost)}</span>
        {(marks || refuses || shares || covers) && (
          <LineMenu
            line={line}
            name={name}
            lines={lines}
            marks={marks}
            refuses={refuses}
            hasPayer={covered?.insured != null}
            onCover={covers ? () => lines.cover({ id: line.id, idCustomer: visit.idCustomer }) : undefined}
            onShare={shares ? share : undefined}
          />
        )}
      </HStack>
      {line.performers.length > 0 && (
        <Fine>
          Исполнители:{' '}
          {line.performers.map(({ id, user, share }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              {user ? <UserLink user={user} /> : 'сотрудник'} <span className="nowrap">{shareText(share)}</span>
            </span>
          ))}
        </Fine>
      )}
      {cover && (
        <Fine>
          {covered?.insured?.payer}: {cover.words}
          {(cover.payer ?? 0) > 0 &&
            ` · плательщик ${formatMoney(cover.payer ?? 0)}, пациент ${formatMoney(cover.patient ?? 0)}`}{' '}
          {cover.needsLetter && !cover.isCovered && <AskLetter visit={visit} payer={covered?.insured?.payer ?? ''} />}
        </Fine>
      )}
      {line.membership && (
        <Fine>
          Абонемент «{line.membership.name}»: {restWords(line.membership)}
        </Fine>
      )}
      <OfferedIn lines={offered.filter(({ idCouponService }) => idCouponService === line.id)} />
      {line.cancelled ? (
        line.refusalReason && <Fine>Отказ: {line.refusalReason}</Fine>
      ) : (
        <LinePrice line={priced} name={name} />
      )}
    </VStack>
  )
}
