import { Alert, SegmentedControl, Skeleton } from '@mantine/core'
import { Consent } from '@ordinator/model/areas/consents/consent'
import { CustomerFile } from '@ordinator/model/areas/customers/files'
import type { Row } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiUrl } from '../../base/api.ts'
import { errorMessage } from '../../base/apiError.ts'
import { uploadFile } from '../../base/apiUpload.ts'
import { download } from '../../base/http.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { today } from '../../kit/clock.ts'
import { DateField } from '../../kit/DateField.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { FilePicker } from '../../kit/FilePicker.tsx'
import { notify } from '../../kit/notify.tsx'
import { Block, HStack } from '../../kit/Stacks.tsx'
import { invalidateRecords } from '../../records/keys.ts'
import { RichText } from '../../records/RichText.tsx'
import { rulesOf } from '../../records/uploads.ts'
import { SmsCode } from './SmsCode.tsx'

interface Props {
  consent: Row<typeof Consent>
  onClose: () => void
}

/** The text with the patient's data, and the signature: by hand on paper, or by a code of a text message. */
export function SignDialog({ consent, onClose }: Props) {
  const { id, name } = consent
  const cache = useQueryClient()
  const [method, setMethod] = useState<'paper' | 'sms'>('paper')
  const [signedOn, setSignedOn] = useState<string | null>(today())
  const [scan, setScan] = useState<File>()
  const [code, setCode] = useState('')
  const text = useQuery({
    queryKey: ['consents', 'text', id, consent._version],
    queryFn: ({ signal }) => api('GET /consents/:id/text', { params: { id } }, { signal, forbidden: 'silent' }),
  })
  const run = async () => {
    if (method === 'sms') await api('POST /consents/:id/confirm', { params: { id }, body: { code } }, toast)
    else {
      const idFile = scan && (await uploadFile(CustomerFile, scan)).id
      await api('POST /consents/:id/sign', { params: { id }, body: { signedOn: signedOn ?? undefined, idFile } }, toast)
    }
    await invalidateRecords(cache, Consent.path)
    notify.success('Согласие подписано')
  }
  return (
    <ActionDialog
      title={name}
      size={680}
      action="Подписано"
      faults={
        method === 'sms' ? { code: !code.trim() && messages.required } : { signedOn: !signedOn && messages.required }
      }
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Block framed p={12} mah="38vh" style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label="Текст">
            {text.isError ? (
              <ErrorState error={text.error} onRetry={() => void text.refetch()} />
            ) : text.isPending ? (
              <Skeleton h={120} />
            ) : (
              <RichText html={text.data.html} />
            )}
          </Block>
          {errorOf('idRelation') && (
            <Alert color="red" variant="light" role="alert">
              {errorOf('idRelation')}
            </Alert>
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
                  onClick={() => void print(id, name)}
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
              queryKey={['consents', 'code', id]}
              read={(signal) => api('GET /consents/:id/code', { params: { id } }, { signal, forbidden: 'silent' })}
              ask={() => api('POST /consents/:id/code', { params: { id } }, toast)}
              code={code}
              error={errorOf('code')}
              onCode={setCode}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}

const toast = { forbidden: 'toast' } as const

async function print(id: number, name: string): Promise<void> {
  try {
    await download(apiUrl('GET /consents/:id/print', { params: { id } }), `${name}.pdf`)
  } catch (error) {
    notify.error(errorMessage(error), { title: 'Документ не распечатан' })
  }
}
