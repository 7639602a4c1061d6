import { Alert, Skeleton } from '@mantine/core'
import { Consent } from '@ordinator/model/areas/consents/consent'
import type { Row } from '@ordinator/model/entity'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { Block } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RichText } from '#records/RichText.tsx'
import { printConsent } from './printConsent.ts'
import { SignatureFields, useSignature } from './signature.tsx'

interface Props {
  consent: Row<typeof Consent>
  onClose: () => void
}

/** Text with the patient's data, and the signature: on paper, or by a text message code. */
export function SignDialog({ consent, onClose }: Props) {
  const { id, name } = consent
  const cache = useQueryClient()
  const signature = useSignature()
  const text = useQuery({
    queryKey: ['consents', 'text', id, consent._version],
    queryFn: ({ signal }) => api('GET /consents/:id/text', { params: { id } }, { signal, forbidden: 'silent' }),
  })
  const run = async () => {
    if (signature.method === 'sms')
      await api('POST /consents/:id/confirm', { params: { id }, body: { code: signature.code } }, toast)
    else await api('POST /consents/:id/sign', { params: { id }, body: await signature.paper() }, toast)
    await invalidateRecords(cache, Consent.path)
    notify.success('Согласие подписано')
  }
  return (
    <ActionDialog title={name} size={680} action="Подписано" faults={signature.faults} run={run} onClose={onClose}>
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
          <SignatureFields
            signature={signature}
            errors={{ signedOn: errorOf('signedOn'), code: errorOf('code') }}
            onPrint={() => void printConsent(id, name)}
            sms={{
              queryKey: ['consents', 'code', id],
              read: (signal) => api('GET /consents/:id/code', { params: { id } }, { signal, forbidden: 'silent' }),
              ask: () => api('POST /consents/:id/code', { params: { id } }, toast),
            }}
          />
        </>
      )}
    </ActionDialog>
  )
}

const toast = { forbidden: 'toast' } as const
