import { WORK } from '@ordinator/model/areas/sales/funnel'
import {
  IconAlertTriangle,
  IconArrowRight,
  IconClock,
  IconFileInvoice,
  IconFlagOff,
  IconListCheck,
  IconMessage2,
  IconMessages,
  type TablerIcon,
} from '@tabler/icons-react'
import { memo } from 'react'
import face from '#kit/board/CardFace.module.css'
import { CardMark, CardMenuButton, CardTags } from '#kit/board/CardFace.tsx'
import { Faces } from '#kit/Faces.tsx'
import classes from './DealCard.module.css'
import { ageOf, ageText, contactOf, isStuck, nextStepOf, priceText } from './dealFacts.ts'
import type { Deal, StageRow } from './deals.ts'

interface Props {
  deal: Deal
  stage: StageRow | undefined
  onMenu: (id: number, button: HTMLElement) => void
}

/** Card of a deal. Plain elements and one CSS module: a board renders hundreds. */
export const DealCard = memo(function DealCard({ deal, stage, onMenu }: Props) {
  const isWork = stage === undefined || stage.idType === WORK
  const contact = contactOf(deal)
  const price = priceText(deal.price)
  const step = nextStepOf(deal, isWork)
  const age = isWork ? ageOf(deal) : undefined
  const stuck = isWork && isStuck(deal, stage)
  return (
    <div className={classes.face}>
      <div className={face.title}>{deal.title}</div>
      {(contact || price) && (
        <div className={classes.line}>
          {contact && <span className={classes.contact}>{contact}</span>}
          {price && <span className={classes.price}>{price}</span>}
        </div>
      )}
      {step && (
        <div className={classes.step} data-late={step.late || undefined} title={step.late ? 'Срок прошёл' : undefined}>
          {step.late ? <IconAlertTriangle size={14} aria-hidden /> : <IconArrowRight size={14} aria-hidden />}
          <span className={classes.stepText}>{step.text}</span>
          {step.when && <span className={classes.when}>{step.when}</span>}
        </div>
      )}
      <div className={face.facts}>
        {age !== undefined && (
          <CardMark
            icon={IconClock}
            title={stuck ? `На этапе ${ageText(age)}, срок этапа ${stage?.daysLimit} дн.` : 'Времени на этапе'}
            tone={stuck ? 'warning' : undefined}
          >
            {ageText(age)}
          </CardMark>
        )}
        <CardTags tags={deal.tags} />
        {isWork && !deal.canComplete && <CardMark icon={IconFlagOff} title="Пока не может быть завершена" />}
        <Count icon={IconFileInvoice} count={deal.offersTotalCount} label="Предложений" />
        <Count icon={IconListCheck} count={deal.tasksTotalCount} label="Задач" />
        <Count icon={IconMessages} count={deal.chatsTotalCount} label="Чатов" />
        <Count icon={IconMessage2} count={deal.commentsTotalCount} label="Комментариев" />
        {deal.responsible.length > 0 && (
          <span className={face.people}>
            <Faces label="Ответственные" people={deal.responsible.map((one) => one.user ?? {})} />
          </span>
        )}
      </div>
      <CardMenuButton label={`Действия со сделкой «${deal.title}»`} onMenu={(button) => onMenu(deal.id, button)} />
    </div>
  )
})

function Count({ icon, count, label }: { icon: TablerIcon; count: number | null | undefined; label: string }) {
  if (!count) return null
  return (
    <CardMark icon={icon} title={`${label}: ${count}`}>
      {count}
    </CardMark>
  )
}

/** Accessible label of a deal. */
export function dealLabel(deal: Deal): string {
  const step = nextStepOf(deal, true)
  return [
    deal.title,
    contactOf(deal),
    priceText(deal.price),
    !deal.canComplete && 'пока не может быть завершена',
    step && `следующий шаг: ${[step.text, step.when].filter(Boolean).join(', ')}${step.late ? ', срок прошёл' : ''}`,
  ]
    .filter(Boolean)
    .join(', ')
}
