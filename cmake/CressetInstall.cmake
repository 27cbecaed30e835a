# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
