import { allowed } from '@ordinator/model/access'
import { ageText } from '@ordinator/model/areas/customers/age'
import { type Customer, CustomerPolicy, policyTypes } from '@ordinator/model/areas/customers/customer'
import { planAccess, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { Appointment, visitAccess } from '@ordinator/model/areas/visits/visit'
import type { Filter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { useState } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'
import type { CustomerCard } from '../parts.ts'
import classes from './CardSummary.module.css'

/** Summary of a patient above all tabs: next and last visit, policy, plan, and facts of other areas. */
export function CardSummary({ customer, cards }: { customer: Row<typeof Customer>; cards: readonly CustomerCard[] }) {
  const idCustomer = customer.id
  const actor = useActor()
  const [now] = useState(() => new Date().toISOString())
  const seesVisits = allowed(actor, visitAccess.view)
  const next = useVisit(
    { idCustomer, dateFrom: { gte: now }, visitStatus: { in: ['booked', 'confirmed', 'arrived', 'inProgress'] } },
    'dateFrom',
    seesVisits,
  )
  const last = useVisit({ idCustomer, visitStatus: 'completed' }, '-dateFrom', seesVisits)
  const policy = useList(CustomerPolicy, { filter: { idCustomer }, sort: '-dateTo', limit: 1 }, { forbidden: 'silent' })
    .data?.items[0]
  const plan = useList(
    TreatmentPlan,
    { filter: { idCustomer, status: { in: ['agreed', 'inWork'] } }, sort: '-id', limit: 1 },
    { forbidden: 'silent', enabled: allowed(actor, planAccess.view) },
  ).data?.items[0]
  const age = ageText(customer.birthday, today())
  const facts = [
    age && { label: 'Возраст', value: age },
    { label: 'Аллергии', value: customer.allergies || 'не отмечены' },
    seesVisits && {
      label: 'Следующий визит',
      value: next ? (
        <PageLink page="customer" search={{ id: idCustomer, tab: 'visits', visit: next.id }}>
          {formatDay(next.localDate)}, {next.localStart}
          {next.user && `, ${next.user.shortFio}`}
        </PageLink>
      ) : (
        'не записан'
      ),
    },
    seesVisits && {
      label: 'Последний визит',
      value: last ? (
        <PageLink page="customer" search={{ id: idCustomer, tab: 'visits', visit: last.id }}>
          {formatDay(last.localDate)}
          {last.user && `, ${last.user.shortFio}`}
        </PageLink>
      ) : (
        'ещё не был'
      ),
    },
    policy && {
      label: policyTypes[policy.type],
      value: (
        <PageLink page="customer" search={{ id: idCustomer, tab: 'documents' }}>
          № {policy.number}
          {policy.dateTo && `, до ${formatDay(policy.dateTo)}`}
        </PageLink>
      ),
    },
    plan && {
      label: 'План лечения',
      value: (
        <PageLink page="customerPlan" params={{ id: plan.id }}>
          {plan.name}
        </PageLink>
      ),
    },
  ].filter((fact) => typeof fact === 'object')
  return (
    <dl className={classes.facts} aria-label="Коротко о пациенте">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {cards.map(({ name, Fact }) => Fact && <Fact key={name} idCustomer={idCustomer} />)}
    </dl>
  )
}

const useVisit = (filter: Filter<typeof Appointment>, sort: 'dateFrom' | '-dateFrom', enabled: boolean) =>
  useList(Appointment, { filter, sort, limit: 1, expand: ['user'] }, { forbidden: 'silent', enabled }).data?.items[0]
