import { Menu } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { PlanItem } from '@ordinator/model/areas/plans/plan'
import { discountText } from '@ordinator/model/areas/sales/offer'
import type { Update } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconArrowBackUp, IconCalendarPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DiscountField } from '#areas/sales/index.ts'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { ItemStatusBadge } from './PlanStatusBadge.tsx'
import classes from './Plans.module.css'
import { type ItemRow, leftOf, type PlanRow } from './plan.ts'

interface Props {
  item: ItemRow
  items: readonly ItemRow[]
  plan: PlanRow
  /** The plan is editable. */
  mayEdit: boolean
  onBook: (() => void) | undefined
}

/** A service of a plan: price while editable, progress once agreed. */
export function PlanItemRow({ item, items, plan, mayEdit, onBook }: Props) {
  const { id, cancelled, cancelReason, status, qty, qtyDone, qtyBooked } = item
  const cache = useQueryClient()
  const actor = useActor()
  const [cancelling, setCancelling] = useState(false)
  const name = item.service?.nameService ?? 'Услуга удалена'
  const move = useMove(PlanItem)
  const remove = useRemove(PlanItem, { message: `Убрано из плана: ${name}` })
  const mayCancel = holds(actor, 'agreePlans') && plan.dateAgreed !== null && plan.dateRefused === null
  const cancel = async (cancelled: boolean, reason?: string) => {
    await api('POST /customer-plans/items/:id/cancel', { params: { id }, body: { cancelled, reason } }, toast)
    await Promise.all([invalidateRecords(cache, PlanItem.path), invalidateRecords(cache, 'customer-plans')])
  }
  const menu = [
    onBook && leftOf(item) > 0 && <MenuItem key="book" label="Записать" icon={IconCalendarPlus} onClick={onBook} />,
    mayCancel && !cancelled && status !== 'done' && (
      <MenuItem key="cancel" label="Больше не нужна…" danger icon={IconX} onClick={() => setCancelling(true)} />
    ),
    mayCancel && cancelled && (
      <MenuItem
        key="back"
        label="Вернуть в план"
        icon={IconArrowBackUp}
        onClick={() => void cancel(false).then(() => notify.success('Услуга снова в плане'), notifyFailure)}
      />
    ),
  ].filter(Boolean)
  return (
    <OrderedRow
      kind={`plan-items-${item.idStage}`}
      row={item}
      rows={items}
      name={name}
      mayEdit={mayEdit}
      onPut={(moved, place) => move.mutate({ id: moved, ...place })}
      menu={
        <>
          <Menu.Divider />
          <MenuItem label="Убрать из плана" danger icon={IconTrash} onClick={() => remove.mutate(id)} />
        </>
      }
    >
      <div className={classes.line}>
        <div className={classes.service} data-cancelled={cancelled || undefined}>
          <span>{name}</span>
          {plan.dateAgreed !== null && (
            <HStack component="span" gap={8} wrap display="inline-flex" ml={8}>
              <ItemStatusBadge status={status} />
              {qty > 1 && !cancelled && (
                <Fine>
                  сделано {qtyDone} из {qty}
                  {qtyBooked > 0 && `, записано ${qtyBooked}`}
                </Fine>
              )}
            </HStack>
          )}
          {cancelReason && <Fine component="div">{cancelReason}</Fine>}
        </div>
        {mayEdit ? (
          <Numbers item={item} name={name} />
        ) : (
          <>
            <span className={`${classes.number} tabular`} data-label="Кол-во">
              {formatNumber(qty)}
            </span>
            <span className={`${classes.number} tabular`} data-label="Цена">
              {item.price === null ? 'нет' : formatMoney(item.price)}
            </span>
            <span className={`${classes.number} tabular`} data-label="Скидка">
              {discountText({ ...item, quantity: item.qty })}
            </span>
          </>
        )}
        <span className={`${classes.total} tabular`} data-label="Итого">
          {formatMoney(item.total)}
        </span>
      </div>
      {!mayEdit && (
        <span className={classes.menu}>
          {menu.length > 0 && (
            <ActionMenu label={`Действия: ${name}`} size={28} width={220}>
              {menu}
            </ActionMenu>
          )}
        </span>
      )}
      {cancelling && (
        <WordsDialog
          title="Услуга больше не нужна"
          label="Причина"
          required
          max={500}
          danger
          action="Отменить услугу"
          run={async (reason) => {
            await cancel(true, reason)
            notify.success('Услуга отменена')
          }}
          onClose={() => setCancelling(false)}
        >
          {name}
        </WordsDialog>
      )}
    </OrderedRow>
  )
}

const toast = { forbidden: 'toast' } as const

const numberOf = (value: number | string | null | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

/** Numbers of an editable line, each saved on blur. */
function Numbers({ item, name }: { item: ItemRow; name: string }) {
  const mayPrice = holds(useActor(), 'discountPlans')
  const save = useSave(PlanItem, { toast: false })
  const [typed, setTyped] = useState<{ qty?: number | string | null; price?: number | string | null }>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const send = async (body: Update<typeof PlanItem>) => {
    try {
      await save.mutateAsync({ id: item.id, ...body })
      setErrors({})
      setTyped({})
    } catch (error) {
      const byField = error instanceof ApiError ? error.byField : {}
      if (Object.keys(byField).length === 0) notifyFailure(error)
      setErrors(byField)
    }
  }
  const field = (key: 'qty' | 'price', label: string, digits?: number) => (
    <div className={classes.number} data-label={label}>
      <NumberField
        aria-label={`${label}: ${name}`}
        size="sm"
        digits={digits}
        value={key in typed ? typed[key] : item[key]}
        error={errors[key]}
        onChange={(value) => setTyped((now) => ({ ...now, [key]: value }))}
        onBlur={() => {
          const value = typed[key]
          if (typeof value === 'number' && value !== item[key]) void send({ [key]: value })
          else if (value === null) setTyped({})
        }}
      />
    </div>
  )
  return (
    <>
      {field('qty', 'Кол-во')}
      {mayPrice ? (
        field('price', 'Цена', 2)
      ) : (
        <span className={`${classes.number} tabular`} data-label="Цена">
          {item.price === null ? 'нет' : formatMoney(item.price)}
        </span>
      )}
      {mayPrice ? (
        <div className={classes.number} data-label="Скидка">
          <DiscountField
            label={`Скидка: ${name}`}
            // A percentage refers to the typed values, even before they are saved.
            line={{
              quantity: numberOf(typed.qty) ?? item.qty,
              price: numberOf(typed.price) ?? item.price,
              discount: item.discount,
            }}
            error={errors.discount}
            onSet={(discount) => void send({ discount })}
          />
        </div>
      ) : (
        <span className={`${classes.number} tabular`} data-label="Скидка">
          {discountText({ ...item, quantity: item.qty })}
        </span>
      )}
    </>
  )
}
