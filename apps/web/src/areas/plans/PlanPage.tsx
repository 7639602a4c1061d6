import { Progress } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { PlanItem, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { isOpen, refuseReasons } from '@ordinator/model/areas/plans/rules'
import { User } from '@ordinator/model/areas/staff/user'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import type { ReactNode } from 'react'
import { SignerName } from '#areas/consents/index.ts'
import { CustomerChip } from '#areas/customers/index.ts'
import { QuoteNote } from '#areas/discounts/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { formatDate } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList, useRecord } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useBatch } from '#records/writes.ts'
import { PlanActions } from './PlanActions.tsx'
import { PlanStages } from './PlanStages.tsx'
import { PlanStatusBadge } from './PlanStatusBadge.tsx'
import classes from './Plans.module.css'
import { live, type PlanRow } from './plan.ts'

/** План лечения: stages and prices, progress, agreement, and booking. */
export default function PlanPage() {
  return (
    <RegistryRecordPage
      entity={TreatmentPlan}
      list={pageByKey('customerPlans')}
      live={live}
      help={({ variant, diagnosis, icd10 }) => [variant, icd10, diagnosis].filter(Boolean).join(' · ')}
      actions={(plan) => <PlanActions plan={plan} />}
      under={(plan) => <PlanHead plan={plan} />}
      main={{ label: 'Этапы и услуги', panel: (plan) => <PlanStages plan={plan} /> }}
    />
  )
}

/** Patient, status, sums, and other variants. */
function PlanHead({ plan }: { plan: PlanRow }) {
  const { status, sum, done, paid, left, dateAgreed } = plan
  const patient = useRecord(Customer, plan.idCustomer, {}, { forbidden: 'silent' })
  const performer = useRecord(User, plan.idDoctor, {}, { forbidden: 'silent' })
  useRevealDelay(patient.isLoading || performer.isLoading)
  const [customer, doctor] = [patient.data, performer.data]
  const sums: readonly (readonly [string, number])[] = dateAgreed
    ? [
        ['Согласовано', plan.agreed],
        ['Выполнено', done],
        ['Осталось', left],
        ['Оплачено', paid],
      ]
    : [['Сумма', sum]]
  return (
    <VStack gap={12} mb={8}>
      <HStack wrap gap="6px 16px">
        <PlanStatusBadge status={status} size="lg" />
        {customer && <CustomerChip customer={customer} />}
        {doctor && <UserLink user={doctor} />}
        <Fine>
          <Dotted>{summary(plan)}</Dotted>
        </Fine>
      </HStack>
      <Variants plan={plan} />
      <dl className={classes.sums} aria-label="Суммы плана">
        {sums.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{formatMoney(value)}</dd>
          </div>
        ))}
      </dl>
      {isOpen(status) && <PlanQuote plan={plan} />}
      {dateAgreed && plan.agreed > 0 && (
        <Progress value={(100 * done) / plan.agreed} size="sm" aria-label="Выполнено из согласованного" />
      )}
    </VStack>
  )
}

/** The plan by the discounts of its patient, which an agreed price excludes. */
function PlanQuote({ plan: { id } }: { plan: PlanRow }) {
  const mayEdit = useCan('update', PlanItem)
  const mayPrice = holds(useActor(), 'discountPlans') && mayEdit
  const batch = useBatch(PlanItem)
  return (
    <QuoteNote
      live={[TreatmentPlan.path, PlanItem.path]}
      id={id}
      read={(signal) => api('GET /customer-plans/:id/estimate', { params: { id } }, { signal, forbidden: 'silent' })}
      onSet={mayPrice ? (update) => batch.mutateAsync({ update: [...update] }).catch(() => undefined) : undefined}
    />
  )
}

const signWords = { paper: 'на бумаге', sms: 'кодом из СМС', ukep: 'УКЭП', esia: 'через Госуслуги' } as const

/** Dates and reasons of the status, as text. */
function summary({
  dateAgreed,
  signMethod,
  dateRefused,
  refuseReason,
  refuseNote,
  validTo,
  representative,
}: PlanRow): ReactNode[] {
  return [
    dateAgreed && (
      <>
        согласован {formatDate(dateAgreed)}
        {signMethod && `, ${signWords[signMethod]}`}
        {representative && (
          <>
            : <SignerName signer={representative} />
          </>
        )}
      </>
    ),
    dateRefused &&
      `отказ ${formatDate(dateRefused)}${refuseReason ? `: ${refuseReasons[refuseReason].toLowerCase()}` : ''}${
        refuseNote ? `. ${refuseNote}` : ''
      }`,
    !dateRefused && validTo && `цены по ${formatDay(validTo)}`,
  ]
}

const MAX_SHOWN = 10

/** Variants of a treatment; at most one is agreed. */
function Variants({ plan }: { plan: PlanRow }) {
  const group = plan.idFirst ?? plan.id
  const list = useList(
    TreatmentPlan,
    {
      filter: { or: [{ id: group }, { idFirst: group }] },
      fields: ['name', 'variant', 'status', 'sum'],
      sort: 'id',
      limit: MAX_SHOWN,
    },
    { forbidden: 'silent' },
  )
  useRevealDelay(list.isPending)
  const variants = list.data?.items ?? []
  if (variants.length < 2) return null
  return (
    <HStack component="nav" aria-label="Варианты лечения" wrap gap={8}>
      {variants.map(({ id, name, variant, status, sum }) => (
        <PageLink
          key={id}
          page="customerPlan"
          params={{ id }}
          className={classes.variant}
          aria-current={id === plan.id ? 'page' : undefined}
        >
          <span>{variant ?? name}</span>
          <span className="tabular">{formatMoney(sum)}</span>
          <PlanStatusBadge status={status} />
        </PageLink>
      ))}
    </HStack>
  )
}
