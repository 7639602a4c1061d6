import { holds } from '@ordinator/model/access'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { type PlanStep, planSteps, refuseReasons } from '@ordinator/model/areas/plans/rules'
import {
  IconArrowBackUp,
  IconCashRegister,
  IconCopy,
  IconCopyPlus,
  IconFileTypePdf,
  IconSend,
  IconUpload,
  IconWritingSign,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useScan } from '#areas/consents/index.ts'
import { OrderTestsItem } from '#areas/laboratory/index.ts'
import { SellMembershipDialog } from '#areas/money/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { notify } from '#kit/notify.tsx'
import { ReasonDialog } from '#kit/ReasonDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useRemove, useSave } from '#records/writes.ts'
import { AgreeDialog } from './AgreeDialog.tsx'
import { type PlanRow, printPlan, readBook } from './plan.ts'

/** Actions on the whole plan. */
export function PlanActions({ plan }: { plan: PlanRow }) {
  const { id, name, status, dateAgreed, _version } = plan
  const go = useGo()
  const cache = useQueryClient()
  const mayEdit = useCan('update', TreatmentPlan)
  const actor = useActor()
  const mayAgree = holds(actor, 'agreePlans')
  const maySell = holds(actor, 'takePayments') && (status === 'agreed' || status === 'inWork')
  const [, setAddress] = useAddress(readBook)
  const [asking, setAsking] = useState<'agree' | 'refuse' | 'sell'>()
  const save = useSave(TreatmentPlan, { optimistic: false })
  const remove = useRemove(TreatmentPlan, { message: `План «${name}» удалён` })
  const can = (step: PlanStep) => planSteps[step].from.includes(status)
  const read = () => invalidateRecords(cache, TreatmentPlan.path)
  const offer = useMutation({
    mutationFn: (offered: boolean) =>
      api('POST /customer-plans/:id/offer', { params: { id }, body: { offered, _version } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async (_, offered) => {
      await read()
      notify.success(offered ? 'План предложен пациенту' : 'План снова черновик')
    },
  })
  const reopen = useMutation({
    mutationFn: () => api('POST /customer-plans/:id/reopen', { params: { id }, body: {} }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async () => {
      await read()
      notify.success('План снова черновик')
    },
  })
  const copy = useMutation({
    mutationFn: (apart: boolean) =>
      api('POST /customer-plans/:id/copy', { params: { id }, body: { apart } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async ({ plan: made, skipped }) => {
      await read()
      if (skipped) notify.info(`Услуг, которых больше нет: ${skipped}. Они не скопированы.`)
      else notify.success(made.variant ? `${made.variant} составлен` : 'Новый план составлен')
      void go({ page: 'customerPlan', params: { id: made.id } })
    },
  })
  const [input, chooseScan] = useScan((idFile) => save.mutateAsync({ id, idFile }))
  return (
    <>
      {input}
      {mayAgree && can('agree') && (
        <ActionButton label="Согласовать" icon={IconWritingSign} onClick={() => setAsking('agree')} />
      )}
      {mayEdit && can('offer') && (
        <ActionButton
          label="Предложить"
          variant="default"
          icon={IconSend}
          loading={offer.isPending}
          onClick={() => offer.mutate(true)}
        />
      )}
      {mayEdit && can('reopen') && dateAgreed === null && (
        <ActionButton
          label="Возобновить"
          reverse
          variant="default"
          icon={IconArrowBackUp}
          loading={reopen.isPending}
          onClick={() => reopen.mutate()}
        />
      )}
      {maySell && (
        <ActionButton
          label="Продать пакетом"
          variant="default"
          icon={IconCashRegister}
          onClick={() => setAsking('sell')}
        />
      )}
      <ActionButton label="Печать" variant="default" icon={IconFileTypePdf} onClick={() => void printPlan(plan)} />
      <PrintMenu entity="customer-plans" id={plan.id} label="Печать по шаблону" />
      {mayEdit && (
        <ActionMenu label="Другие действия" variant="default" width={250}>
          {can('draft') && (
            <MenuItem label="Вернуть в черновик" icon={IconArrowBackUp} onClick={() => offer.mutate(false)} />
          )}
          <OrderTestsItem from={{ customer: plan.idCustomer, plan: id }} />
          <MenuItem label="Ещё вариант лечения" icon={IconCopyPlus} onClick={() => copy.mutate(false)} />
          <MenuItem label="Новый план по образцу" icon={IconCopy} onClick={() => copy.mutate(true)} />
          {dateAgreed !== null && (
            <MenuItem
              label={plan.idFile ? 'Заменить скан…' : 'Приложить скан…'}
              icon={IconUpload}
              onClick={chooseScan}
            />
          )}
          {can('refuse') && (dateAgreed === null || mayAgree) && (
            <MenuItem label="Пациент отказался…" danger icon={IconX} onClick={() => setAsking('refuse')} />
          )}
          <RemoveItem
            entity={TreatmentPlan}
            row={plan}
            label="Удалить план"
            onRemove={() =>
              remove.mutate(id, { onSuccess: () => void go({ page: 'customerPlans' }, { replace: true }) })
            }
          />
        </ActionMenu>
      )}
      {asking === 'agree' && (
        <AgreeDialog
          plan={plan}
          onClose={() => setAsking(undefined)}
          onBook={holds(actor, 'createAppointments') ? () => setAddress({ book: true }, { replace: true }) : undefined}
        />
      )}
      {asking === 'sell' && (
        <SellMembershipDialog plan={plan} idCustomer={plan.idCustomer} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'refuse' && <RefuseDialog plan={plan} onClose={() => setAsking(undefined)} />}
    </>
  )
}

/** A plan refused for another of its variants is refused by agreeing to that one. */
const { variant: _, ...reasons } = refuseReasons

function RefuseDialog({ plan, onClose }: { plan: PlanRow; onClose: () => void }) {
  const cache = useQueryClient()
  return (
    <ReasonDialog
      title="Отказ от плана"
      action="Отказался"
      reasons={reasons}
      intro={plan.dateAgreed !== null && 'Всё, что ещё не выполнено, будет отменено.'}
      onClose={onClose}
      send={async (reason, note) => {
        await api(
          'POST /customer-plans/:id/refuse',
          { params: { id: plan.id }, body: { reason, note, _version: plan._version } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, TreatmentPlan.path)
        notify.success('Отказ записан')
      }}
    />
  )
}
