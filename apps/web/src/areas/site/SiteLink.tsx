import { IconExternalLink } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { useCheckList } from './useCheckList.ts'

/** Link to the public site. @param path within the site, with a leading slash */
export function SiteLink({ path = '' }: { path?: string }) {
  const { data, isPending } = useCheckList()
  useRevealDelay(isPending)
  if (!data) return null
  return (
    <ActionButton
      label="Открыть сайт"
      variant="default"
      icon={IconExternalLink}
      renderRoot={(props) => (
        <a href={data.address.replace(/\/$/, '') + path} target="_blank" rel="noopener noreferrer" {...props} />
      )}
    />
  )
}
