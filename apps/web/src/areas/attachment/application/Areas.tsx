import { Radio } from '@mantine/core'
import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { areaKinds } from '@ordinator/model/areas/attachment/area'
import { isWaiting, loadOf } from '@ordinator/model/areas/attachment/rules'
import { PageLink } from '#base/PageLink.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useSave } from '#records/writes.ts'
import classes from '../Attachment.module.css'
import type { ApplicationRow, State } from './state.ts'

export function Areas({ one, state }: { one: ApplicationRow; state: State }) {
  const save = useSave(AttachmentApplication)
  const mayEdit = isWaiting(one.status)
  if (state.areas.length === 0)
    return (
      <Muted>
        Участков для этого вида помощи нет. <PageLink page="attachmentAreas">Завести участок</PageLink>
      </Muted>
    )
  return (
    <section aria-label="Участок">
      <h2 className={classes.title}>Участок</h2>
      <Radio.Group
        aria-label="Участок"
        value={String(one.idArea ?? '')}
        onChange={(value) => save.mutate({ id: one.id, idArea: Number(value), _version: one._version })}
      >
        <VStack gap={8}>
          {state.areas.map((area) => (
            <Radio
              key={area.id}
              value={String(area.id)}
              disabled={!mayEdit}
              label={
                <>
                  {area.name} <Fine>{areaKinds[area.kind].toLowerCase()}</Fine>
                </>
              }
              description={[
                area.isTheirs && 'по адресу',
                area.doctor,
                `${area.attached} из ${area.norm}${loadOf(area) >= 1 ? ', норма заполнена' : ''}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </VStack>
      </Radio.Group>
    </section>
  )
}
