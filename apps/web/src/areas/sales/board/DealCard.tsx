import { WORK } from '@ordinator/model/areas/sales/funnel'
import {
  IconAlertTriangle,
  IconArrowRight,
  IconClock,
  IconDots,
  IconListCheck,
  IconMessage2,
  IconMessages,
  type TablerIcon,
} from '@tabler/icons-react'
import { memo } from 'react'
import { inkOn } from '../../../kit/color.ts'
import { Faces } from '../../../kit/Faces.tsx'
import { NamedIcon } from '../../../kit/NamedIcon.tsx'
import classes from './DealCard.module.css'
import { ageOf, ageText, contactOf, isStuck, nextStepOf, priceText } from './dealFacts.ts'
import type { Deal, StageRow } from './deals.ts'

const MAX_TAGS = 5

interface Props {
  deal: Deal
  stage: StageRow | undefined
  onMenu: (id: number, button: HTMLElement) => void
}

/** The face of a deal. Plain elements and one CSS module: a board draws hundreds of these. */
export const DealCard = memo(function DealCard({ deal, stage, onMenu }: Props) {
  const isWork = stage === undefined || stage.idType === WORK
  const contact = contactOf(deal)
  const price = priceText(deal.price)
  const step = nextStepOf(deal, isWork)
  const age = isWork ? ageOf(deal) : undefined
  const stuck = isWork && isStuck(deal, stage)
  return (
    <div className={classes.face}>
      <div className={classes.title}>{deal.title}</div>
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
      <div className={classes.facts}>
        {age !== undefined && (
          <span
            className={classes.mark}
            data-stuck={stuck || undefined}
            title={stuck ? `На этапе ${ageText(age)}, срок этапа ${stage?.daysLimit} дн.` : 'Времени на этапе'}
          >
            <IconClock size={14} aria-hidden />
            {ageText(age)}
          </span>
        )}
        {deal.tags.length > 0 && <Tags tags={deal.tags} />}
        <Mark icon={IconListCheck} count={deal.tasksTotalCount} label="Задач" />
        <Mark icon={IconMessages} count={deal.chatsTotalCount} label="Чатов" />
        <Mark icon={IconMessage2} count={deal.commentsTotalCount} label="Комментариев" />
        {deal.responsible.length > 0 && (
          <span className={classes.people}>
            <Faces label="Ответственные" people={deal.responsible.map((one) => one.user ?? {})} />
          </span>
        )}
      </div>
      <button
        type="button"
        className={classes.menu}
        tabIndex={-1}
        aria-label={`Действия со сделкой «${deal.title}»`}
        aria-haspopup="menu"
        onClick={(event) => onMenu(deal.id, event.currentTarget)}
      >
        <IconDots size={16} aria-hidden />
      </button>
    </div>
  )
})

function Mark({ icon: Icon, count, label }: { icon: TablerIcon; count: number | null | undefined; label: string }) {
  if (!count) return null
  return (
    <span className={classes.mark} title={`${label}: ${count}`}>
      <Icon size={14} aria-hidden />
      {count}
    </span>
  )
}

function Tags({ tags }: Pick<Deal, 'tags'>) {
  return (
    <span className={classes.tags} title={tags.map((tag) => tag.name).join(', ')}>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <span
          key={tag.id}
          className={classes.tag}
          data-icon={tag.icon ? true : undefined}
          style={{ background: tag.color }}
        >
          {tag.icon && <NamedIcon name={tag.icon} size={11} color={inkOn(tag.color)} />}
        </span>
      ))}
      {tags.length > MAX_TAGS && `+${tags.length - MAX_TAGS}`}
    </span>
  )
}

/** What a screen reader says of a deal. */
export function dealLabel(deal: Deal): string {
  const step = nextStepOf(deal, true)
  return [
    deal.title,
    contactOf(deal),
    priceText(deal.price),
    step && `следующий шаг: ${[step.text, step.when].filter(Boolean).join(', ')}${step.late ? ', срок прошёл' : ''}`,
  ]
    .filter(Boolean)
    .join(', ')
}
