import { CustomerTag } from '@ordinator/model/areas/customers/customer'
import { useState } from 'react'
import { CardPicker } from '#kit/CardField.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { TagChip } from '#kit/TagChips.tsx'
import { distinctTags, type NamedTag, TagPicker } from '#kit/TagPicker.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'

/** Tags offered: those used last. */
const KNOWN = 200

/** Tags of a card, chosen from those in use or created by name. */
export function CustomerTags({ idCustomer }: { idCustomer: number }) {
  const [opened, setOpened] = useState(false)
  const mayEdit = useCan('update', CustomerTag)
  const list = useList(CustomerTag, { filter: { idCustomer }, limit: KNOWN })
  const save = useSave(CustomerTag)
  useRevealDelay(list.isPending)
  const tags = list.data?.items ?? []
  const remove = useRemove(CustomerTag, {
    message: 'Метка снята',
    again: (id) => {
      const tag = tags.find((one) => one.id === id)
      return tag && { idCustomer, name: tag.name, color: tag.color, icon: tag.icon }
    },
  })
  const toggle = ({ name, color, icon }: NamedTag) => {
    const there = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    if (there) remove.mutate(there.id)
    else save.mutate({ idCustomer, name, color, icon })
  }
  return (
    <HStack gap={6} wrap>
      {tags.map((tag) => (
        <TagChip key={tag.id} tag={tag} onRemove={mayEdit ? () => remove.mutate(tag.id) : undefined} />
      ))}
      {mayEdit && (
        <CardPicker label="Метки" opened={opened} onChange={setOpened}>
          <KnownTagPicker tags={tags} onToggle={toggle} />
        </CardPicker>
      )}
    </HStack>
  )
}

interface PickerProps {
  tags: readonly NamedTag[]
  onToggle: (tag: NamedTag) => void
}

/** Picker of tags in use, loaded when opened. */
export function KnownTagPicker(props: PickerProps) {
  const known = useList(CustomerTag, { sort: '-id', limit: KNOWN })
  return <TagPicker known={distinctTags((known.data?.items ?? []) as NamedTag[])} {...props} />
}
