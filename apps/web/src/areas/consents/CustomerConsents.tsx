import { Alert, Anchor, Text, Title } from '@mantine/core'
import {
  type Channel,
  Consent,
  ConsentTemplate,
  channels,
  consentTypes,
  signMethods,
} from '@ordinator/model/areas/consents/consent'
import { mayAdvertise, missingTemplates } from '@ordinator/model/areas/consents/rules'
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatDay, inSentence } from '@ordinator/model/format'
import { IconFileTypePdf, IconPlus, IconTrash, IconUpload, IconWritingSign } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDate, today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { StatusMark } from './consentStatus.tsx'
import { NewConsentDialog } from './NewConsentDialog.tsx'
import { printConsent } from './printConsent.ts'
import { SignDialog } from './SignDialog.tsx'
import { SignerName } from './SignerName.tsx'
import { useScan } from './useScan.tsx'

/** The maximum page size of the records engine. */
const MAX = 500

export type Line = Expanded<typeof Consent, 'version' | 'file'>

/** «Согласия»: a patient's consents with versions, missing ones, and signing. */
export function CustomerConsents({ customer }: { customer: Row<typeof Customer> }) {
  const [asked, setAsked] = useState<number | 'any'>()
  const [signing, setSigning] = useState<number>()
  const mayEdit = useCan('create', Consent)
  const list = useList(Consent, { filter: { idCustomer: customer.id }, expand: ['version', 'file'], limit: MAX })
  const templates = useList(ConsentTemplate, { limit: MAX })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (templates.isError) return <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
  if (list.isPending || templates.isPending) return <LinesSkeleton lines={4} />
  const consents = list.data.items
  const missing = missingTemplates(
    templates.data.items.filter(({ version }) => version !== null),
    consents.flatMap((one) => (one.version ? [{ ...one, idTemplate: one.version.idTemplate }] : [])),
    today(),
  )
  const toSign = consents.find(({ id }) => id === signing)
  return (
    <VStack gap={16}>
      <HStack justify="space-between" wrap>
        <Title order={2} size="h3">
          Согласия
        </Title>
        {mayEdit && (
          <ActionButton
            label="Новое согласие"
            variant="default"
            size="compact-md"
            icon={IconPlus}
            onClick={() => setAsked('any')}
          />
        )}
      </HStack>
      {missing.length > 0 && (
        <Alert color="yellow" variant="light" title="Нужно оформить">
          <VStack component="ul" gap={4}>
            {missing.map(({ id, name }) => (
              <HStack key={id} component="li" justify="space-between" gap="4px 12px" wrap>
                <span>{name}</span>
                {mayEdit && (
                  <ActionButton
                    label="Оформить"
                    aria-label={`Оформить: ${name}`}
                    size="compact-sm"
                    variant="default"
                    onClick={() => setAsked(id)}
                  />
                )}
              </HStack>
            ))}
          </VStack>
        </Alert>
      )}
      {consents.length === 0 ? (
        <Text c="dimmed">{Consent.registry?.empty.text}</Text>
      ) : (
        <Block component="ul" framed aria-label="Оформленные согласия">
          {consents.map((one, at) => (
            <ConsentLine
              key={one.id}
              consent={one}
              first={at === 0}
              mayEdit={mayEdit}
              onSign={() => setSigning(one.id)}
            />
          ))}
        </Block>
      )}
      <Advertising consents={consents} />
      {asked !== undefined && (
        <NewConsentDialog
          customer={customer}
          idTemplate={asked === 'any' ? undefined : asked}
          templates={templates.data.items}
          onMade={setSigning}
          onClose={() => setAsked(undefined)}
        />
      )}
      {toSign && <SignDialog consent={toSign} onClose={() => setSigning(undefined)} />}
    </VStack>
  )
}

function Advertising({ consents }: { consents: readonly Row<typeof Consent>[] }) {
  const ways = (Object.keys(channels) as Channel[]).filter((channel) => mayAdvertise(consents, channel, today()))
  return (
    <Fine component="p">
      {ways.length
        ? `Рекламу можно присылать: ${ways.map((way) => channels[way].toLowerCase()).join(', ')}.`
        : 'Рекламу присылать нельзя: на неё нет действующего согласия.'}
    </Fine>
  )
}

interface LineProps {
  consent: Line
  first: boolean
  mayEdit: boolean
  onSign: () => void
}

function ConsentLine({ consent, first, mayEdit, onSign }: LineProps) {
  const cache = useQueryClient()
  const [revoking, setRevoking] = useState(false)
  const remove = useRemove(Consent)
  const save = useSave(Consent)
  const { id, name, status, type, file } = consent
  const [input, chooseScan] = useScan((idFile) => save.mutateAsync({ id, idFile }))
  return (
    <HStack component="li" gap="4px 12px" px={12} py={8} wrap rule={first ? undefined : 'top'}>
      {input}
      <Block miw={0} flex="1 1 260px" className="breaks">
        <Text inherit fw={500}>
          {name}
        </Text>
        <Fine component="div">
          <Dotted>{factsOf(consent)}</Dotted>
        </Fine>
        {file && (
          <Anchor size="xs" href={file.url} target="_blank" rel="noopener" underline="always">
            Скан: {file.name}
          </Anchor>
        )}
      </Block>
      <StatusMark status={status} />
      {mayEdit && status === 'draft' && (
        <ActionButton
          label="Подписать"
          aria-label={`Подписать: ${name}`}
          size="compact-sm"
          icon={IconWritingSign}
          onClick={onSign}
        />
      )}
      <PrintMenu entity="consents" id={id} variant="subtle" label="Печать по шаблону" />
      <ActionMenu label={`Действия: ${name}, ${inSentence(consentTypes[type])}`} width={220}>
        <MenuItem label="Скачать PDF" icon={IconFileTypePdf} onClick={() => void printConsent(id, name)} />
        {mayEdit && status !== 'draft' && (
          <MenuItem label={file ? 'Заменить скан…' : 'Приложить скан…'} icon={IconUpload} onClick={chooseScan} />
        )}
        {mayEdit && status === 'signed' && (
          <MenuItem label="Отозвать…" danger icon={IconTrash} onClick={() => setRevoking(true)} />
        )}
        {mayEdit && (
          <RemoveItem entity={Consent} row={consent} label="Удалить черновик" onRemove={() => remove.mutate(id)} />
        )}
      </ActionMenu>
      {revoking && (
        <WordsDialog
          title="Отозвать согласие"
          label="Причина"
          description="Кто и как сообщил об отзыве"
          required
          max={1000}
          danger
          action="Отозвать"
          run={async (reason) => {
            await api('POST /consents/:id/revoke', { params: { id }, body: { reason } }, { forbidden: 'toast' })
            await invalidateRecords(cache, Consent.path)
            notify.success('Согласие отозвано')
          }}
          onClose={() => setRevoking(false)}
        >
          <Text>{name}</Text>
        </WordsDialog>
      )}
    </HStack>
  )
}

/** Summary of a consent. */
function factsOf(consent: Line): ReactNode[] {
  const { signedAt, signMethod, representative, validTo, revokedAt, revokeReason, version, status } = consent
  return [
    signedAt && `${formatDate(signedAt)} ${signMethod ? signMethods[signMethod].toLowerCase() : ''}`.trim(),
    representative && (
      <>
        подписал(а) <SignerName signer={representative} />, {representative.relation.toLowerCase()}
      </>
    ),
    status !== 'revoked' && validTo && `${status === 'expired' ? 'истекло' : 'по'} ${formatDay(validTo)}`,
    revokedAt && `отозвано ${formatDate(revokedAt)}: ${revokeReason ?? ''}`,
    consent.channels.length > 0 && consent.channels.map((way) => channels[way].toLowerCase()).join(', '),
    version && `версия ${version.number}`,
  ]
}
