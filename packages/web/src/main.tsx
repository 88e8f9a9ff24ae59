import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import './ui/base.css'
import './ui/print.css'
import './ui/touch.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './routes.tsx'
import { printLight } from './ui/print-light.ts'
import { theme } from './ui/theme.ts'

printLight()

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queryClient}>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <RouterProvider router={router} />
    </MantineProvider>
  </QueryClientProvider>,
)
