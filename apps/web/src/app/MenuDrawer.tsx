import { Drawer } from '#kit/Drawer.tsx'
import { Menu } from './Menu.tsx'

/** The left menu on a phone. */
export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={264}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Меню' } }}
    >
      <Menu words onNavigate={onClose} />
    </Drawer>
  )
}
