import { Checkbox, Select } from '@mantine/core'
import { maySignFor } from '@ordinator/model/areas/consents/rules'
import { CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { formatMoney, inSentence } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SignatureFields, useSignature } from '#areas/consents/index.ts'
import { api } from '#base/api.ts'
import { usePreference } from '#base/preferences.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { type PlanRow, printPlan } from './plan.ts'

const toast = { forbidden: 'toast' } as const
const MAX = 100

interface Props {
  plan: PlanRow
  onClose: () => void
  /** Books the first stage afterwards; absent: without the right to book. */
  onBook?: (() => void) | undefined
}

const readBooks = (stored: unknown): { books: boolean } => ({
  books: (stored as { books?: unknown } | undefined)?.books !== false,
})

/** Signs the plan: on the printed estimate, or by a text message code. */
export function AgreeDialog({ plan, onClose, onBook }: Props) {
  const { id, name, sum, idCustomer } = plan
  const cache = useQueryClient()
  const signature = useSignature()
  const [signer, setSigner] = useState(plan.idRelation)
  const [{ books }, keep] = usePreference('plan-agreed-books', readBooks, 'device')
  const relations = useList(
    CustomerRelation,
    { filter: { idCustomer, signs: 'yes' }, expand: ['relative'], limit: MAX },
    { forbidden: 'silent' },
  )
  const able = (relations.data?.items ?? []).filter((one) => maySignFor(one, today()))
  return (
    <ActionDialog
      title="Согласование плана"
      size={560}
      action="Согласован"
      faults={signature.faults}
      onClose={onClose}
      run={async () => {
        if (signature.method === 'sms')
          await api('POST /customer-plans/:id/confirm', { params: { id }, body: { code: signature.code } }, toast)
        else {
          const body = { ...(await signature.paper()), idRelation: signer, _version: plan._version }
          await api('POST /customer-plans/:id/agree', { params: { id }, body }, toast)
        }
        await invalidateRecords(cache, TreatmentPlan.path)
        notify.success('План согласован: цены больше не меняются')
        if (books) onBook?.()
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <Muted component="p">
            {name}: {formatMoney(sum)}. После подписи услуги и цены не меняются, другие варианты отклоняются.
          </Muted>
          {able.length > 0 && (
            <Select
              label="Кто подписывает"
              clearable
              placeholder="Пациент"
              data={able.map(({ id: value, relation, relative, fio }) => ({
                value: String(value),
                label: `${relative?.fio ?? fio}, ${inSentence(relationKinds[relation])}`,
              }))}
              value={signer ? String(signer) : null}
              error={errorOf('idRelation')}
              onChange={(value) => setSigner(value ? Number(value) : null)}
            />
          )}
          <SignatureFields
            signature={signature}
            errors={{ signedOn: errorOf('signedOn'), code: errorOf('code') }}
            onPrint={() => void printPlan(plan)}
            sms={{
              queryKey: [TreatmentPlan.path, 'code', id],
              read: (signal) =>
                api('GET /customer-plans/:id/code', { params: { id } }, { signal, forbidden: 'silent' }),
              ask: () => api('POST /customer-plans/:id/code', { params: { id }, body: { idRelation: signer } }, toast),
            }}
          />
          {onBook && (
            <Checkbox
              label="Сразу выбрать время первого этапа"
              checked={books}
              onChange={(event) => keep({ books: event.currentTarget.checked })}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
