import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconPhotoUp from '@tabler/icons-react/dist/esm/icons/IconPhotoUp.mjs'
import IconUserEdit from '@tabler/icons-react/dist/esm/icons/IconUserEdit.mjs'
import { Link } from '@tanstack/react-router'
import { logout, useMe } from '../api/session.ts'
import { mayLeave } from '../ui/feedback/leave-guard.ts'
import { recordPath } from '../ui/values/link.tsx'
import { Picture, PictureUpload } from '../widgets/picture.tsx'
import { openOverview } from './shortcuts/overview.ts'
import classes from './top-bar.module.css'

/** The menu behind the person's own picture, with the actions on their own account. */
export function ProfileMenu() {
  const me = useMe()
  const leave = async () => {
    if (await mayLeave()) await logout()
  }
  return (
    // PictureUpload is around the menu, because its file input must still exist when the file is chosen and the menu is
    // closed.
    <PictureUpload userId={me.id}>
      {(choose) => (
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <UnstyledButton className={classes['profile'] ?? ''}>
              <VisuallyHidden>Profile of {me.name}</VisuallyHidden>
              <Picture user={me} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>
              {me.name}
              <br />
              {me.email}
            </Menu.Label>
            <Menu.Item component={Link} to={recordPath('user', me.id)} leftSection={<IconUserEdit size={16} />}>
              Edit Profile
            </Menu.Item>
            <Menu.Item leftSection={<IconPhotoUp size={16} />} {...choose}>
              Upload Avatar
            </Menu.Item>
            <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openOverview}>
              Keyboard shortcuts
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
              Log Out
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </PictureUpload>
  )
}
