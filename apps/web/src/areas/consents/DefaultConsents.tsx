import { Switch } from '@mantine/core'
import { ConsentTemplate, consentTypes } from '@ordinator/model/areas/consents/consent'
import { PageLink } from '#base/PageLink.tsx'
import { FormPart } from '#kit/FormPart.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'

/** Templates shown; more are on their own page. */
const MOST = 100

/** Consents required of every customer, in the settings of customers. */
export function DefaultConsents() {
  const list = useList(ConsentTemplate, { limit: MOST }, { forbidden: 'silent' })
  const mayEdit = useCan('update', ConsentTemplate)
  const save = useSave(ConsentTemplate)
  useRevealDelay(list.isPending)
  const templates = list.data?.items ?? []
  return (
    <FormPart title="Согласия, нужные каждому клиенту">
      {list.data && templates.length === 0 ? (
        <Muted>
          Шаблонов пока нет: <PageLink page="consentTemplates">заведите их</PageLink>.
        </Muted>
      ) : (
        <VStack gap={8}>
          {templates.map(({ id, name, type, isDefault }) => (
            <Switch
              key={id}
              label={name}
              description={consentTypes[type]}
              checked={isDefault}
              disabled={!mayEdit}
              onChange={(event) => save.mutate({ id, isDefault: event.currentTarget.checked })}
            />
          ))}
        </VStack>
      )}
    </FormPart>
  )
}
