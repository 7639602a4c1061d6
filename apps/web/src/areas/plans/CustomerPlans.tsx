import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import type { Expanded } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ListStates } from '#kit/ListStates.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useEndlessList } from '#records/reads.ts'
import { NewPlanDialog } from './NewPlanDialog.tsx'
import { PlanStatusBadge } from './PlanStatusBadge.tsx'
import classes from './Plans.module.css'

const PORTION = 20

/** Treatment plans of a patient, for the card. */
export default function CustomerPlans({ idCustomer }: { idCustomer: number }) {
  const go = useGo()
  const [making, setMaking] = useState(false)
  const mayMake = useCan('create', TreatmentPlan)
  const list = useEndlessList(TreatmentPlan, { filter: { idCustomer }, expand: ['doctor'], limit: PORTION })
  const make = mayMake && <ActionButton label="Новый план лечения" icon={IconPlus} onClick={() => setMaking(true)} />
  return (
    <VStack gap={12}>
      <ListStates
        list={list}
        failed="Планы не загрузились"
        empty={
          <EmptyState
            title="Планов лечения нет"
            text={mayMake ? TreatmentPlan.registry?.empty.text : 'Их составляет врач.'}
            action={make || undefined}
          />
        }
      >
        {(plans, more) => (
          <>
            {make && <div>{make}</div>}
            <Block component="ul" framed className={classes.plans} aria-label="Планы лечения">
              {plans.map((plan) => (
                <PlanLine key={plan.id} plan={plan} />
              ))}
            </Block>
            {more}
          </>
        )}
      </ListStates>
      {making && (
        <NewPlanDialog
          idCustomer={idCustomer}
          onMade={(id) => void go({ page: 'customerPlan', params: { id } })}
          onClose={() => setMaking(false)}
        />
      )}
    </VStack>
  )
}

function PlanLine({ plan }: { plan: Expanded<typeof TreatmentPlan, 'doctor'> }) {
  const { id, name, variant, status, sum, dateAgreed, done, dateCreate, doctor } = plan
  return (
    <li className={classes.plan}>
      <Block miw={0} className="breaks">
        <PageLink page="customerPlan" params={{ id }}>
          {name}
          {variant && ` · ${variant}`}
        </PageLink>
        <Fine component="div">
          {formatDate(dateCreate)}
          {doctor && (
            <>
              {' · '}
              <UserLink user={doctor} />
            </>
          )}
        </Fine>
      </Block>
      <PlanStatusBadge status={status} />
      <HStack component="span" gap={6} className="tabular nowrap" justify="end">
        {dateAgreed ? `${formatMoney(done)} из ${formatMoney(plan.agreed)}` : formatMoney(sum)}
      </HStack>
    </li>
  )
}
