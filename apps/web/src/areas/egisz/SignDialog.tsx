import { Alert, Progress, Select } from '@mantine/core'
import { Semd, type SignerRole, signerRoles } from '@ordinator/model/areas/egisz/semd'
import { SignatureCertificate } from '@ordinator/model/areas/signatures/certificate'
import { counted } from '@ordinator/model/format'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../base/api.ts'
import { useActor } from '../../base/session.ts'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { HStack, VStack } from '../../kit/Stacks.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import { invalidateRecords } from '../../records/keys.ts'
import { useList } from '../../records/reads.ts'
import { useSigning } from '../signatures/index.ts'
import { type Chosen, type SemdRow, type Signed, signAll } from './signDocuments.ts'

const FORMS = ['документ', 'документа', 'документов'] as const

/** Signs one document or a day's, one after another; what is refused is told, and the rest goes on. */
export function SignDialog({ rows, onClose }: { rows: readonly SemdRow[]; onClose: () => void }) {
  const cache = useQueryClient()
  const actor = useActor()
  const { plugin, isSimulator } = useSigning()
  const roles = [...new Set(rows.flatMap(({ dueRole }) => dueRole ?? []))]
  const [picked, setPicked] = useState<Chosen>({})
  const [done, setDone] = useState<readonly Signed[]>([])
  const [left, setLeft] = useState(rows)
  const known = useList(SignatureCertificate, { filter: { active: true }, limit: 100 })
  // The simulator's certificates must be among the clinic's before anybody signs by them.
  useQuery({
    queryKey: ['signatures', 'simulated', actor.id],
    queryFn: async () => {
      const { items } = await api('GET /signatures/simulator/certificates', {})
      for (const [at, { certificate }] of items.entries())
        await api('POST /signatures/certificates/add', {
          body: { certificate, purpose: at === 0 ? 'doctor' : 'organization' },
        })
      await invalidateRecords(cache, SignatureCertificate.path)
      return items
    },
    enabled: isSimulator,
    retry: false,
    staleTime: 300_000,
  })
  const optionsOf = (role: SignerRole) =>
    (known.data?.items ?? [])
      .filter(
        ({ purpose, idUser, kind }) =>
          (role === 'organization' ? purpose === 'organization' : idUser === actor.id && purpose !== 'organization') &&
          (kind === 'test') === isSimulator,
      )
      .map(({ thumbprint, owner, dateTo }) => ({
        value: thumbprint,
        label: `${owner}, до ${dateTo.slice(0, 10).split('-').reverse().join('.')}`,
      }))
  const chosen: Chosen = Object.fromEntries(roles.map((role) => [role, picked[role] ?? optionsOf(role)[0]?.value]))
  const failed = done.filter(({ failure }) => failure)
  return (
    <ActionDialog
      title={rows.length === 1 ? 'Подписать документ' : `Подписать ${counted(rows.length, FORMS)}`}
      action={done.length > 0 && failed.length > 0 ? `Повторить: ${failed.length}` : 'Подписать'}
      cancel={done.length > 0 ? 'Закрыть' : 'Отмена'}
      stoppable
      faults={Object.fromEntries(
        roles.map((role) => [role, !chosen[role] && 'Добавьте сертификат на странице «Электронные подписи»']),
      )}
      disabled={!plugin}
      run={async (signal) => {
        if (!plugin) return false
        const all = await signAll(plugin, left, chosen, setDone, signal)
        await invalidateRecords(cache, Semd.path)
        const refused = new Set(all.filter(({ failure }) => failure).map(({ id }) => id))
        setLeft(left.filter(({ id }) => refused.has(id) || !all.some((one) => one.id === id)))
        return refused.size === 0
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {isSimulator && <Fine>Имитатор: подпись тестовая, юридической силы не имеет.</Fine>}
          {roles.map((role) => (
            <Select
              key={role}
              label={`Сертификат: ${signerRoles[role].toLowerCase()}`}
              data={optionsOf(role)}
              value={chosen[role] ?? null}
              onChange={(value) => setPicked({ ...picked, ...(value && { [role]: value }) })}
              error={errorOf(role)}
              allowDeselect={false}
            />
          ))}
          {done.length > 0 && (
            <VStack gap={6}>
              <Progress value={(done.length / Math.max(1, rows.length)) * 100} />
              <Muted>
                Подписано {done.length - failed.length} из {rows.length}
                {failed.length > 0 && `, не подписано ${failed.length}`}
              </Muted>
            </VStack>
          )}
          {failed.map(({ id, title, failure }) => (
            <Alert
              key={id}
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
