import { Alert, Progress, Select } from '@mantine/core'
import { MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { counted } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../base/api.ts'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { VStack } from '../../../kit/Stacks.tsx'
import { Fine, Muted } from '../../../kit/Words.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { type SigningError, signingError, useSigning } from '../../signatures/index.ts'

const FORMS = ['документ', 'документа', 'документов'] as const

interface Props {
  /** Documents that wait for a signature; none: the sign-in itself is signed. */
  ids: readonly number[]
  onClose: () => void
  onDone?: () => void
}

/** Signs documents of МДЛП, or the sign-in, by a certificate of this computer. */
export function SignDialog({ ids, onClose, onDone }: Props) {
  const cache = useQueryClient()
  const { plugin, isSimulator } = useSigning()
  const [picked, setPicked] = useState<string>()
  const [done, setDone] = useState(0)
  const found = useQuery({
    queryKey: ['signatures', 'found', plugin?.name],
    queryFn: async () => {
      try {
        return (await plugin?.certificates()) ?? []
      } catch (error) {
        throw signingError(error)
      }
    },
    enabled: plugin !== undefined,
    retry: false,
  })
  const thumbprint = picked ?? found.data?.[0]?.thumbprint
  const failure = found.error as SigningError | null
  const sign = async (content: string): Promise<string> => {
    try {
      // The simulator marks what it signs where the server has no ГОСТ, and then it has no certificate either.
      return (await plugin?.sign(thumbprint ?? '', content)) ?? ''
    } catch (error) {
      throw signingError(error)
    }
  }
  const run = async (signal: AbortSignal) => {
    if (ids.length === 0) {
      const { code, content } = await api('POST /mdlp/login/code', {})
      await api('POST /mdlp/login', { body: { code, signature: await sign(content) } })
      notify.success('Вход в МДЛП выполнен')
    }
    for (const [at, id] of ids.entries()) {
      if (signal.aborted) return
      const { content } = await api('GET /mdlp/documents/:id/content', { params: { id } })
      await api('POST /mdlp/documents/:id/sign', { params: { id }, body: { signature: await sign(content) } })
      setDone(at + 1)
    }
    await invalidateRecords(cache, MdlpDocument.path)
    onDone?.()
  }
  return (
    <ActionDialog
      title={ids.length === 0 ? 'Войти в МДЛП' : `Подписать ${counted(ids.length, FORMS)} МДЛП`}
      action={ids.length === 0 ? 'Подписать вход' : 'Подписать и отправить'}
      cancel="Позже"
      stoppable
      disabled={!plugin || found.isPending || (!thumbprint && !isSimulator)}
      run={run}
      onClose={onClose}
    >
      <VStack gap={12}>
        {isSimulator && <Fine>Имитатор: подпись тестовая, юридической силы не имеет.</Fine>}
        {failure ? (
          <Alert color="red" variant="light" title={failure.message}>
            {failure.mend}
          </Alert>
        ) : !found.data ? (
          <LinesSkeleton lines={1} />
        ) : found.data.length === 0 ? (
          !isSimulator && <Muted>На этом компьютере нет сертификатов: вставьте токен и откройте окно снова.</Muted>
        ) : (
          <Select
            label="Сертификат"
            data={found.data.map(({ thumbprint: value, owner }) => ({ value, label: owner }))}
            value={thumbprint ?? null}
            onChange={(value) => value && setPicked(value)}
            allowDeselect={false}
          />
        )}
        {ids.length > 1 && done > 0 && (
          <>
            <Progress value={(done / ids.length) * 100} aria-label="Подписано" />
            <Muted>
              Подписано {done} из {ids.length}
            </Muted>
          </>
        )}
      </VStack>
    </ActionDialog>
  )
}
