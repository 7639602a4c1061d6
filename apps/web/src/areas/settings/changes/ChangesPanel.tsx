import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { SidePanel } from '#kit/SidePanel.tsx'
import { ChangesList } from './ChangesList.tsx'

/** History of one setting; closed without a name. */
export function ChangesPanel({ name, onClose }: { name: CommonSettingName | undefined; onClose: () => void }) {
  return (
    <SidePanel opened={name !== undefined} onClose={onClose} title={name ? commonSettings[name].label : ''}>
      {name && <ChangesList name={name} />}
    </SidePanel>
  )
}
