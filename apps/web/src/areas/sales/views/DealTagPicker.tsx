import { type NamedTag, TagPicker } from '#kit/TagPicker.tsx'
import { useDealTags } from './tags.ts'

interface Props {
  tags: readonly NamedTag[]
  onToggle: (tag: NamedTag) => void
}

/** Tag picker of a deal with the tags of all deals, loaded when opened. */
export function DealTagPicker(props: Props) {
  return <TagPicker known={useDealTags()} {...props} />
}
