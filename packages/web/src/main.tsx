import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import './ui/layout/base.css'
import './ui/layout/print.css'
import './ui/layout/touch.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { followOtherTabs } from './api/session.ts'
import { router } from './routes.tsx'
import { printLight } from './ui/layout/print-light.ts'
import { theme } from './ui/layout/theme.ts'

printLight()
followOtherTabs()

const place = document.getElementById('root')
if (!place) throw new Error('The page has no place for the screens.')
createRoot(place).render(
  <QueryClientProvider client={queryClient}>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <RouterProvider router={router} />
    </MantineProvider>
  </QueryClientProvider>,
)
