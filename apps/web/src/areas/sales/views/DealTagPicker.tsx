import { type NamedTag, TagPicker } from '#kit/TagPicker.tsx'
import { useDealTags } from './tags.ts'

interface Props {
  tags: readonly NamedTag[]
  onToggle: (tag: NamedTag) => void
}

/** Tags of a deal, out of those of all deals, which are read when it opens. */
export function DealTagPicker(props: Props) {
  return <TagPicker known={useDealTags()} {...props} />
}
