import { Alert, Loader, Select } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import {
  type CertificatePurpose,
  certificatePurposes,
  SignatureCertificate,
} from '@ordinator/model/areas/signatures/certificate'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { type FoundCertificate, signingError } from './plugin/plugin.ts'
import { useSigning } from './useSigning.ts'

/** Certificates on this computer: the owner is read from each, the purpose is chosen here. */
export function FindCertificates({ onClose }: { onClose: () => void }) {
  const { plugin } = useSigning()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['signatures', 'found', plugin?.name],
    queryFn: () => plugin?.certificates() ?? [],
    enabled: plugin !== undefined,
    retry: false,
    staleTime: 0,
  })
  const failure = error && signingError(error)
  return (
    <Dialog title="Сертификаты этого компьютера" size="lg" onClose={onClose}>
      <VStack gap={12}>
        {isFetching && (
          <HStack>
            <Loader size="sm" />
            <Muted>Спрашиваем {plugin?.name}. Если открылось окно — разрешите доступ.</Muted>
          </HStack>
        )}
        {failure && !isFetching && (
          <Alert color="red" variant="light" title={failure.message}>
            <VStack gap={8}>
              <span>{failure.mend}</span>
              <ActionButton label="Повторить" variant="default" size="xs" onClick={() => void refetch()} />
            </VStack>
          </Alert>
        )}
        {!isFetching && data?.length === 0 && (
          <Muted>Сертификатов нет. Вставьте токен или установите личный сертификат и повторите поиск.</Muted>
        )}
        {data?.map((one) => (
          <Found key={one.thumbprint} one={one} />
        ))}
      </VStack>
    </Dialog>
  )
}

function Found({ one }: { one: FoundCertificate }) {
  const actor = useActor()
  const cache = useQueryClient()
  const managesAll = holds(actor, 'manageSignatures')
  const [purpose, setPurpose] = useState<CertificatePurpose>('doctor')
  const [busy, setBusy] = useState(false)
  const [isAdded, setAdded] = useState(false)
  const add = async () => {
    setBusy(true)
    try {
      const made = await api('POST /signatures/certificates/add', { body: { certificate: one.certificate, purpose } })
      notify.success(`Сертификат добавлен: ${made.owner}`)
      setAdded(true)
      await invalidateRecords(cache, SignatureCertificate.path)
    } catch (error) {
      notifyFailure(error as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Block framed p={12}>
      <HStack gap={12} wrap>
        <VStack gap={2} grow miw={260} style={{ overflowWrap: 'anywhere' }}>
          <strong>{one.owner}</strong>
          <Fine>Отпечаток {one.thumbprint}</Fine>
        </VStack>
        {managesAll && !isAdded && (
          <Select
            aria-label="Назначение"
            size="xs"
            w={180}
            allowDeselect={false}
            data={Object.entries(certificatePurposes).map(([value, label]) => ({ value, label }))}
            value={purpose}
            onChange={(next) => next && setPurpose(next as CertificatePurpose)}
          />
        )}
        <ActionButton
          label={isAdded ? 'Добавлен' : 'Добавить'}
          icon={IconPlus}
          size="xs"
          variant="default"
          loading={busy}
          disabled={isAdded}
          onClick={() => void add()}
        />
      </HStack>
    </Block>
  )
}
