import { Alert, Progress, Select } from '@mantine/core'
import {
  type CertificatePurpose,
  certificatePurposes,
  SignatureCertificate,
} from '@ordinator/model/areas/signatures/certificate'
import { counted } from '@ordinator/model/format'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDate } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { type Chosen, type Signed, signAll, type ToSign } from './signAll.ts'
import { useSigning } from './useSigning.ts'

/** Without a ГОСТ engine the simulator signs without a certificate. */
const MARKED = { value: '', label: 'Имитатор без движка ГОСТ' }

interface Props {
  items: readonly ToSign[]
  /** Plural forms: «документ», «документа», «документов». */
  forms: readonly [string, string, string]
  /** Called after a run, whatever the result. */
  onSigned(): Promise<unknown>
  onClose: () => void
}

/** Signs one or several items in sequence; refused ones are reported, the others continue. */
export function SignDialog({ items, forms, onSigned, onClose }: Props) {
  const { plugin, isSimulator } = useSigning()
  const purposes = [...new Set(items.map(({ purpose }) => purpose))]
  const [picked, setPicked] = useState<Chosen>({})
  const [done, setDone] = useState<readonly Signed[]>([])
  const [left, setLeft] = useState(items)
  const { optionsOf, isPending } = useOptions(isSimulator)
  const chosen: Chosen = Object.fromEntries(purposes.map((one) => [one, picked[one] ?? optionsOf(one)[0]?.value]))
  const failed = done.filter(({ failure }) => failure)
  return (
    <ActionDialog
      title={items.length === 1 ? `Подписать ${forms[0]}` : `Подписать ${counted(items.length, forms)}`}
      action={done.length > 0 && failed.length > 0 ? `Повторить: ${failed.length}` : 'Подписать'}
      cancel={done.length > 0 ? 'Закрыть' : 'Отмена'}
      stoppable
      faults={Object.fromEntries(
        purposes.map((one) => [
          one,
          chosen[one] === undefined && 'Добавьте сертификат на странице «Электронные подписи»',
        ]),
      )}
      disabled={!plugin || isPending}
      run={async (signal) => {
        if (!plugin) return false
        const all = await signAll(plugin, left, chosen, setDone, signal)
        await onSigned()
        const good = new Set(all.filter(({ failure }) => !failure).map(({ key }) => key))
        setLeft(left.filter(({ key }) => !good.has(key)))
        return all.length === good.size
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {isSimulator && <Fine>Имитатор: подпись тестовая, юридической силы не имеет.</Fine>}
          {purposes.map((one) => (
            <Select
              key={one}
              label={`Сертификат: ${certificatePurposes[one].toLowerCase()}`}
              data={optionsOf(one)}
              value={chosen[one] ?? null}
              onChange={(value) => setPicked({ ...picked, ...(value !== null && { [one]: value }) })}
              error={errorOf(one)}
              allowDeselect={false}
            />
          ))}
          {done.length > 0 && (
            <VStack gap={6}>
              <Progress
                aria-label="Подписано"
                value={((items.length - left.length + done.length) / Math.max(1, items.length)) * 100}
              />
              <Muted>
                Подписано {done.length - failed.length} из {done.length}
                {failed.length > 0 && `, не подписано ${failed.length}`}
              </Muted>
            </VStack>
          )}
          {failed.map(({ key, title, failure }) => (
            <Alert
              key={key}
              color={failure?.isRefusal ? 'gray' : 'red'}
              variant="light"
              icon={<IconAlertTriangle size={16} />}
              title={title}
            >
              {failure?.message} {failure?.mend && <Fine>{failure.mend}</Fine>}
            </Alert>
          ))}
          {done.length > 0 && failed.length === 0 && (
            <HStack>
              <IconCheck size={16} color="var(--mantine-color-teal-6)" />
              <span>Готово</span>
            </HStack>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

/** The user's certificates by purpose. */
function useOptions(isSimulator: boolean): {
  optionsOf: (purpose: CertificatePurpose) => { value: string; label: string }[]
  isPending: boolean
} {
  const cache = useQueryClient()
  const actor = useActor()
  const known = useList(SignatureCertificate, { filter: { active: true }, limit: 100 })
  // Certificates of the simulator must be added to the clinic's list first.
  const simulated = useQuery({
    queryKey: ['signatures', 'simulated', actor.id],
    queryFn: async () => {
      const { items } = await api('GET /signatures/simulator/certificates', {})
      // Without the right to add the clinic's certificate, another user must do it.
      for (const [at, { certificate }] of items.entries())
        await api(
          'POST /signatures/certificates/add',
          { body: { certificate, purpose: at === 0 ? 'doctor' : 'organization' } },
          { forbidden: 'silent' },
        ).catch(() => undefined)
      await invalidateRecords(cache, SignatureCertificate.path)
      return items
    },
    enabled: isSimulator,
    retry: false,
    staleTime: 300_000,
  })
  const optionsOf = (purpose: CertificatePurpose) => {
    if (isSimulator && simulated.data?.length === 0) return [MARKED]
    return (known.data?.items ?? [])
      .filter(
        (one) =>
          (purpose === 'organization'
            ? one.purpose === 'organization'
            : one.idUser === actor.id && one.purpose !== 'organization') && (one.kind === 'test') === isSimulator,
      )
      .toSorted((a, b) => Number(b.purpose === purpose) - Number(a.purpose === purpose))
      .map(({ thumbprint, owner, dateTo }) => ({
        value: thumbprint,
        label: `${owner}, до ${formatDate(dateTo)}`,
      }))
  }
  return { optionsOf, isPending: known.isPending || (isSimulator && simulated.isPending) }
}
