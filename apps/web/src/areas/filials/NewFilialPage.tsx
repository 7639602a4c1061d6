import { Checkbox, TextInput } from '@mantine/core'
import { Filial, FilialRoom } from '@ordinator/model/areas/filials/filial'
import { Desk } from '@ordinator/model/areas/visits/visit'
import type { WorkingHours } from '@ordinator/model/hours'
import { pageByKey } from '@ordinator/model/pages'
import { randomColor } from '@ordinator/model/palette'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useGo } from '#base/address.ts'
import { records } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { FormPart } from '#kit/FormPart.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Block } from '#kit/Stacks.tsx'
import type { FormParts } from '#records/form/formParts.ts'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { RegistryForm } from '#records/registry/RegistryRecord.tsx'
import { FilialForm } from './FilialForm.tsx'

const day = { start: '08:00', end: '20:00' }
/** Default week of most clinics, to edit. */
const week: WorkingHours = {
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: { start: '09:00', end: '15:00' },
}

/** Distinct comma-separated names. */
const namesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\n]/)
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

/** Новый филиал: creates a branch, then opens it. */
export default function NewFilialPage() {
  const { title, help } = pageByKey('newFilial')
  const go = useGo()
  const [initial] = useState(() => ({ labelColor: randomColor(), workingHours: week }))
  const back = () => void go({ page: 'filials' })
  const me = useActor().id
  const cache = useQueryClient()
  const others = useList(Filial, { fields: ['id'], limit: 1 }, { forbidden: 'silent' }).data?.items.length
  const [rooms, setRooms] = useState('')
  const [chosen, setAtDesk] = useState<boolean>()
  // The creator of the first branch usually works at its desk, and gets access to its cash desk.
  const atDesk = chosen ?? others === 0
  const parts: FormParts = {
    dirty: rooms.trim() !== '' || atDesk,
    async save(idFilial) {
      const names = namesOf(rooms)
      if (names.length) await records.batch(FilialRoom, { create: names.map((name) => ({ idFilial, name })) })
      setRooms('')
      if (atDesk) await records.create(Desk, { idFilial, idUser: me })
      // Clears unsaved state before leaving the page.
      flushSync(() => {
        setRooms('')
        setAtDesk(false)
      })
      for (const { path } of [FilialRoom, Desk]) await invalidateRecords(cache, path)
    },
    discard: () => setRooms(''),
  }
  return (
    <>
      <PageHead
        title={title}
        help={help}
        start={<IconButton icon={IconArrowLeft} label="К списку: Филиалы" onClick={back} />}
      />
      <Block px="var(--ord-page)" pb="var(--ord-page)">
        <RegistryForm
          entity={Filial}
          initial={initial}
          parts={parts}
          form={(filial) => (
            <>
              <FilialForm filial={filial} />
              <FormPart title="Кабинеты и регистратура">
                <TextInput
                  label="Кабинеты"
                  description="Через запятую: 101, 102, Процедурный"
                  maxLength={1000}
                  value={rooms}
                  onChange={(event) => setRooms(event.currentTarget.value)}
                />
                <Checkbox
                  mt={24}
                  label="Работаю здесь на регистратуре"
                  description="Видны записи и касса филиала; коллег добавляют на вкладке «Регистратура»"
                  checked={atDesk}
                  onChange={(event) => setAtDesk(event.currentTarget.checked)}
                />
              </FormPart>
            </>
          )}
          onMade={({ id }) => void go({ page: 'filial', params: { id } }, { replace: true })}
          onCancel={back}
        />
      </Block>
    </>
  )
}
