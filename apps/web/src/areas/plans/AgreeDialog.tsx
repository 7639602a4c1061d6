import { SegmentedControl, Select } from '@mantine/core'
import { maySignFor } from '@ordinator/model/areas/consents/rules'
import { CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import { CustomerFile } from '@ordinator/model/areas/customers/files'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { formatMoney } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../base/api.ts'
import { uploadFile } from '../../base/apiUpload.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { today } from '../../kit/clock.ts'
import { DateField } from '../../kit/DateField.tsx'
import { FilePicker } from '../../kit/FilePicker.tsx'
import { notify } from '../../kit/notify.tsx'
import { HStack, VStack } from '../../kit/Stacks.tsx'
import { Muted } from '../../kit/Words.tsx'
import { invalidateRecords } from '../../records/keys.ts'
import { useList } from '../../records/reads.ts'
import { rulesOf } from '../../records/uploads.ts'
import { SmsCode } from '../consents/index.ts'
import { type PlanRow, printPlan } from './plan.ts'

const toast = { forbidden: 'toast' } as const
const MAX = 100

/** The plan is signed: by hand on the printed estimate, or by a code of a text message. */
export function AgreeDialog({ plan, onClose }: { plan: PlanRow; onClose: () => void }) {
  const { id, name, sum, idCustomer } = plan
  const cache = useQueryClient()
  const [method, setMethod] = useState<'paper' | 'sms'>('paper')
  const [signedOn, setSignedOn] = useState<string | null>(today())
  const [scan, setScan] = useState<File>()
  const [code, setCode] = useState('')
  const [signer, setSigner] = useState(plan.idRelation)
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
      faults={
        method === 'sms' ? { code: !code.trim() && messages.required } : { signedOn: !signedOn && messages.required }
      }
      onClose={onClose}
      run={async () => {
        if (method === 'sms') await api('POST /customer-plans/:id/confirm', { params: { id }, body: { code } }, toast)
        else {
          const idFile = scan && (await uploadFile(CustomerFile, scan)).id
          const body = { signedOn: signedOn ?? undefined, idFile, idRelation: signer, _version: plan._version }
          await api('POST /customer-plans/:id/agree', { params: { id }, body }, toast)
        }
        await invalidateRecords(cache, TreatmentPlan.path)
        notify.success('План согласован: цены больше не меняются')
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
                label: `${relative?.fio ?? fio}, ${relationKinds[relation].toLowerCase()}`,
              }))}
              value={signer ? String(signer) : null}
              error={errorOf('idRelation')}
              onChange={(value) => setSigner(value ? Number(value) : null)}
            />
          )}
          <SegmentedControl
            fullWidth
            aria-label="Способ подписи"
            value={method}
            onChange={(value) => setMethod(value as 'paper' | 'sms')}
            data={[
              { value: 'paper', label: 'На бумаге' },
              { value: 'sms', label: 'Кодом из СМС' },
            ]}
          />
          {method === 'paper' ? (
            <>
              <HStack gap={8} wrap>
                <ActionButton
                  label="Скачать для печати"
                  variant="default"
                  icon={IconFileTypePdf}
                  onClick={() => void printPlan(plan)}
                />
                <FilePicker {...rulesOf(CustomerFile)} onFiles={([file]) => setScan(file)}>
                  {scan ? `Скан: ${scan.name}` : 'Приложить скан'}
                </FilePicker>
              </HStack>
              <DateField
                label="Дата подписи"
                required
                max={today()}
                value={signedOn}
                error={errorOf('signedOn')}
                onChange={setSignedOn}
              />
            </>
          ) : (
            <SmsCode
              queryKey={[TreatmentPlan.path, 'code', id]}
              read={(signal) =>
                api('GET /customer-plans/:id/code', { params: { id } }, { signal, forbidden: 'silent' })
              }
              ask={() => api('POST /customer-plans/:id/code', { params: { id }, body: { idRelation: signer } }, toast)}
              code={code}
              error={errorOf('code')}
              onCode={setCode}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
