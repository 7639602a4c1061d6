import { Anchor, CloseButton, Select } from '@mantine/core'
import type { Service } from '@ordinator/model/areas/catalogue/service'
import {
  discountText,
  OfferService,
  OfferServiceReason,
  type OfferServiceStatus,
} from '@ordinator/model/areas/sales/offer'
import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import type { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Row, Update } from '@ordinator/model/entity'
import { formatMoney, formatWall } from '@ordinator/model/format'
import { useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { uiOf } from '#records/fields/registry.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { DiscountField } from './DiscountField.tsx'
import classes from './Offers.module.css'

export type Line = Row<typeof OfferService> & {
  service: Row<typeof Service> | null
  reason: Row<typeof OfferServiceReason> | null
  /** The visit booked from it, for users with access to visits. */
  couponService?: { coupon: { appointment: Row<typeof Appointment> } } | null
}

interface Props {
  line: Line
  statuses: readonly Row<typeof OfferServiceStatus>[]
  mayEdit: boolean
}

const numbers = ['quantity', 'price', 'discount'] as const

/** A service of an offer. Numbers are saved on blur; a status that needs a reason asks for it. */
export function OfferLine({ line, statuses, mayEdit }: Props) {
  const [typed, setTyped] = useState<Pick<Update<typeof OfferService>, (typeof numbers)[number]>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [chosen, setChosen] = useState<number>()
  const save = useSave(OfferService, { optimistic: false, toast: false })
  const name = line.service?.nameService ?? 'Услуга удалена'
  const visit = line.couponService?.coupon?.appointment
  const remove = useRemove(OfferService, { message: `Убрано из предложения: ${name}` })
  const status = statuses.find(({ id }) => id === (chosen ?? line.idStatus))
  const wantsReason = status?.isReason === true

  const send = async (body: Update<typeof OfferService>) => {
    try {
      await save.mutateAsync({ id: line.id, ...body })
      setErrors({})
      // Keeps text typed during the save.
      setTyped((now) =>
        Object.fromEntries(Object.entries(now).filter(([field, value]) => value !== body[field as keyof typeof body])),
      )
      setChosen(undefined)
    } catch (error) {
      const byField = error instanceof ApiError ? error.byField : {}
      setErrors(Object.keys(byField).length ? byField : { price: errorMessage(error) })
    }
  }
  return (
    <li className={classes.line} aria-label={name}>
      <div className={classes.service}>
        {name}
        {line.service?.code && <Fine display="block">{line.service.code}</Fine>}
        {visit && (
          <Fine display="block">
            Запись:{' '}
            <Anchor
              inherit
              renderRoot={(props) => (
                <PageLink
                  {...props}
                  page="calendar"
                  search={{ filial: visit.idFilial, day: visit.localDate, visit: visit.id }}
                />
              )}
            >
              {formatWall(visit)}
            </Anchor>
            {`, ${visitStatuses[visit.visitStatus].toLowerCase()}`}
          </Fine>
        )}
      </div>
      {numbers.map((field) => {
        const f = OfferService.fields[field]
        const Input = uiOf(f).Input
        if (!mayEdit)
          return (
            <div key={field} className={`${classes.number} ${classes.figure} tabular`} data-label={f.options.label}>
              {field === 'quantity' ? line.quantity : field === 'price' ? formatMoney(line.price) : discountText(line)}
            </div>
          )
        if (field === 'discount')
          return (
            <div key={field} className={classes.number} data-label={f.options.label}>
              <DiscountField
                label={`${f.options.label}: ${name}`}
                line={line}
                error={errors.discount}
                onSet={(discount) => void send({ discount })}
              />
            </div>
          )
        return (
          Input && (
            <div key={field} className={classes.number} data-label={f.options.label}>
              <Input
                entity={OfferService}
                name={field}
                f={f}
                value={field in typed ? typed[field] : line[field]}
                onChange={(value) => setTyped((now) => ({ ...now, [field]: value }))}
                onBlur={() => field in typed && typed[field] !== line[field] && void send(typed)}
                label={<span className={classes.hidden}>{`${f.options.label}: ${name}`}</span>}
                error={errors[field]}
              />
            </div>
          )
        )
      })}
      <span className={`${classes.lineTotal} tabular`} data-label="Итого">
        {formatMoney(line.total)}
      </span>
      <div className={classes.state}>
        {mayEdit ? (
          <>
            <Select
              size="sm"
              aria-label={`Статус: ${name}`}
              data={statuses.map(({ id, name: label }) => ({ value: String(id), label }))}
              value={String(chosen ?? line.idStatus)}
              onChange={(value) => {
                const next = statuses.find(({ id }) => String(id) === value)
                if (!next || next.id === line.idStatus) setChosen(undefined)
                else if (next.isReason) setChosen(next.id)
                else void send({ idStatus: next.id })
              }}
              error={errors.idStatus}
            />
            {wantsReason && (
              <RefSelect
                to={OfferServiceReason.path}
                aria-label={`Причина: ${name}`}
                placeholder="Укажите причину"
                clearable={false}
                value={chosen === undefined ? line.idReason : null}
                known={line.reason ?? undefined}
                error={errors.idReason}
                onChange={(idReason) => idReason !== null && status && void send({ idStatus: status.id, idReason })}
              />
            )}
          </>
        ) : (
          <div className={classes.figure}>
            {status?.name}
            {line.reason && <Fine display="block">{line.reason.name}</Fine>}
          </div>
        )}
      </div>
      {mayEdit && (
        <CloseButton
          size="sm"
          className={classes.removeLine}
          aria-label={`Убрать: ${name}`}
          onClick={() => remove.mutate(line.id)}
        />
      )}
    </li>
  )
}
