from tests import loads

load_tests = loads(__file__)
