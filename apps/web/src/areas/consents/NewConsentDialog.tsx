import { Checkbox, Select } from '@mantine/core'
import {
  type Channel,
  Consent,
  type ConsentTemplate,
  ConsentVersion,
  channels,
  consentTypes,
} from '@ordinator/model/areas/consents/consent'
import { maySignFor, needsRepresentative, OWN_CONSENT_AGE } from '@ordinator/model/areas/consents/rules'
import { type Customer, CustomerRelation, relationKinds } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { inSentence } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { useAccount } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'

interface Props {
  customer: Row<typeof Customer>
  /** Preselected template. */
  idTemplate?: number
  templates: readonly Row<typeof ConsentTemplate>[]
  onMade: (id: number) => void
  onClose: () => void
}

const asked = recordsWith({ forbidden: 'toast' })
const MAX = 100

/** New consent: template, signer, and channels for advertising. */
export function NewConsentDialog({ customer, idTemplate, templates, onMade, onClose }: Props) {
  const cache = useQueryClient()
  const [chosen, setChosen] = useState(idTemplate)
  const [ways, setWays] = useState<Channel[]>([])
  const [signer, setSigner] = useState<number | null>()
  const relations = useList(
    CustomerRelation,
    { filter: { idCustomer: customer.id, signs: 'yes' }, expand: ['relative'], limit: MAX },
    { forbidden: 'silent' },
  )
  const able = (relations.data?.items ?? []).filter((one) => maySignFor(one, today()))
  const age = (useAccount().common.settings.ownConsentAge as number | undefined) ?? OWN_CONSENT_AGE
  const isChild = needsRepresentative(customer.birthday, today(), age)
  // For a child, the first representative who may sign.
  const signedBy = signer === undefined && isChild ? (able[0]?.id ?? null) : (signer ?? null)
  const template = templates.find(({ id }) => id === chosen)
  const isAds = template?.type === 'ads'
  const who = [
    ...(isChild ? [] : [{ value: '', label: `${customer.fio}, клиент` }]),
    ...able.map(({ id, relation, relative, fio }) => ({
      value: String(id),
      label: `${relative?.fio ?? fio}, ${inSentence(relationKinds[relation])}`,
    })),
  ]
  return (
    <ActionDialog
      title="Новое согласие"
      action="Продолжить"
      faults={{
        idVersion: !template && messages.required,
        channels: isAds && ways.length === 0 && 'Выберите, как клиент согласен получать рекламу',
        idRelation:
          isChild &&
          signedBy === null &&
          `Клиенту нет ${age} лет: добавьте во вкладке «Представители», кто за него подписывает`,
      }}
      run={async () => {
        const [version] = (
          await asked.list(ConsentVersion, {
            filter: { idTemplate: chosen as number, dateFrom: { lte: today() } },
            limit: 1,
          })
        ).items
        const made = await asked.create(Consent, {
          idCustomer: customer.id,
          idVersion: version?.id as number,
          channels: isAds ? ways : [],
          idRelation: signedBy,
        })
        await invalidateRecords(cache, Consent.path)
        onMade(made.id)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Select
            label="Документ"
            required
            searchable
            nothingFoundMessage="Ничего не найдено"
            data={Object.entries(Object.groupBy(templates, ({ type }) => consentTypes[type])).map(([group, items]) => ({
              group,
              items: (items ?? []).map(({ id, name, version }) => ({
                value: String(id),
                label: version === null ? `${name} (нет текста)` : name,
                disabled: version === null,
              })),
            }))}
            value={chosen === undefined ? null : String(chosen)}
            error={errorOf('idVersion')}
            onChange={(value) => setChosen(value === null ? undefined : Number(value))}
          />
          {isAds && (
            <Checkbox.Group
              label="Способы связи"
              required
              value={ways}
              error={errorOf('channels')}
              onChange={(value) => setWays(value as Channel[])}
            >
              <HStack gap="8px 16px" wrap mt={4}>
                {Object.entries(channels).map(([value, label]) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </HStack>
            </Checkbox.Group>
          )}
          <Select
            label="Подписывает"
            required
            data={who}
            value={signedBy === null ? (isChild ? null : '') : String(signedBy)}
            placeholder="Представителя нет"
            error={errorOf('idRelation')}
            onChange={(value) => setSigner(value ? Number(value) : null)}
          />
        </>
      )}
    </ActionDialog>
  )
}
