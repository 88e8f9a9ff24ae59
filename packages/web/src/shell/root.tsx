import { Outlet } from '@tanstack/react-router'
import { ToastStack } from '../ui/toast-stack.tsx'

/** Stands above every page, the login included. */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastStack />
    </>
  )
}
