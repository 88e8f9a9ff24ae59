import { ModalsProvider, modals } from '@mantine/modals'
import { useEffect } from 'react'
import { onLoggedOut } from '../../api/session.ts'
import { setDialogsThere } from './dialogs-there.ts'

onLoggedOut(() => modals.closeAll())

/** Draws the dialogs of confirmDialog and errorDialog, on top of everything else. */
export default function Dialogs() {
  useEffect(setDialogsThere, [])
  return <ModalsProvider modalProps={{ zIndex: 1055, portalProps: { target: '#dialogs' } }}>{null}</ModalsProvider>
}
